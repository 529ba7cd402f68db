#!/usr/bin/env python3
"""Makes map.c from map.csv and towns.csv beside it:  ./map.py >map.c

The two CSV files are the source; tests/unit/games/elfenland_map_test.c holds map.c against them.
"""
import csv
import os
from collections import deque

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"river": "RIVER", "lake": "LAKE"}


def rows(name):
    with open(os.path.join(HERE, name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def distances(n, edges, inside):
    """Steps between all pairs, every kind of connection one step; 255 where there is no way."""
    table = []
    for start in range(n):
        far = [255] * n
        if inside[start]:
            far[start] = 0
            queue = deque([start])
            while queue:
                at = queue.popleft()
                for a, b in edges:
                    for here, there in ((a, b), (b, a)):
                        if here == at and inside[there] and far[there] == 255:
                            far[there] = far[at] + 1
                            queue.append(there)
        table.append(far)
    return table


def words(name, ids):
    print(f"const char {name}[] =")
    for i, one in enumerate(ids):
        print(f'    "{one}{" " if i + 1 < len(ids) else ""}"' + (";" if i + 1 == len(ids) else ""))


def main():
    towns, links = rows("towns.csv"), rows("map.csv")
    index = {t["id"]: i for i, t in enumerate(towns)}
    edges = [(index[c["from"]], index[c["to"]]) for c in links]
    print("// Made by map.py from map.csv and towns.csv; edit those.")
    print('#include "games/elfenland/elfenland.h"\n')
    print("// clang-format off")
    words("elfenland__town_words", [t["id"] for t in towns])
    words("elfenland__link_words", [c["id"] for c in links])
    print("const struct elfenland_town elfenland__towns[TOWNS] = {")
    for t in towns:
        print(f'    {{"{t["id"]}", "{t["name"]}", {t["x"]}, {t["y"]}, {t["has_town_card"]}, {t["west_variant"]}}},')
    print("};")
    print("// Roads come first, so that a road's number is its connection's. A river flows from a to b.")
    print("const struct elfenland_link elfenland__links[LINKS] = {")
    for c, (a, b) in zip(links, edges):
        terrain = KINDS.get(c["kind"]) or c["terrain"].upper()
        print(f'    {{"{c["id"]}", {a}, {b}, TERRAIN_{terrain}}},')
    print("};")
    for name, kind in (("road", "road"), ("water", "")):
        table = [["NONE"] * len(towns) for _ in towns]
        for i, (c, (a, b)) in enumerate(zip(links, edges)):
            if (c["kind"] == "road") == (kind == "road"):
                table[a][b] = table[b][a] = str(i)
        print(f"const uint8_t elfenland__{name}_between[TOWNS][TOWNS] = {{")
        for row in table:
            print("    {" + ", ".join(row) + "},")
        print("};")
    print("const uint8_t elfenland__distance[2][TOWNS][TOWNS] = {")
    for west in (False, True):
        inside = [not west or t["west_variant"] == "1" for t in towns]
        print("    {")
        for far in distances(len(towns), edges, inside):
            print("        {" + ", ".join(map(str, far)) + "},")
        print("    },")
    print("};")


main()
