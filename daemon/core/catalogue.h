// Sentences in other languages: gettext catalogues of the domain `tabled`, chosen by a language's name alone,
// so that no system locale has to be installed. One folder for all programs: $TABLED_LOCALE_DIR, else
// share/locale beside the program's bin, else that of the installation.
#pragma once

// `language`: "en", "es", "zh" ...; "" or one without a catalogue gives the sentence itself. `context` tells
// equal words apart ("kind", "place", "seat", "phase"); NULL = a whole sentence. The result lives as long as
// the program, or as `sentence`.
const char *catalogue_text(const char *language, const char *context, const char *sentence);
// The form of a sentence for n things. Without a catalogue the sentence itself, which is the form for many.
const char *catalogue_plural(const char *language, const char *sentence, unsigned long n);

// Marks a sentence that is looked up later, so that it gets into the catalogues (po/README.md).
#define N_(sentence) sentence
