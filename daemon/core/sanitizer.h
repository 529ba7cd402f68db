// Whether the address sanitizer is built in: gcc says it by a macro, clang by a feature.
#pragma once
#if defined __SANITIZE_ADDRESS__
#define SANITIZER_ADDRESS 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZER_ADDRESS 1
#endif
#endif
#ifndef SANITIZER_ADDRESS
#define SANITIZER_ADDRESS 0
#endif
