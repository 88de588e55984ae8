/* SPDX-FileCopyrightText: 2026 The workbench authors
 * SPDX-License-Identifier: Apache-2.0 */

/* The TRITONCACHE interface, version 0.1: where cached responses are kept.
 * A compatible declaration: names, signatures and values are those of libtritonserver.so. */
#ifndef TRITON_CORE_TRITONCACHE_H_
#define TRITON_CORE_TRITONCACHE_H_

#include <stddef.h>
#include <stdint.h>

#include "triton/core/tritonserver.h"

#if defined(_MSC_VER) && defined(_COMPILING_TRITONCACHE)
#define TRITONCACHE_DECLSPEC __declspec(dllexport)
#define TRITONCACHE_ISPEC __declspec(dllimport)
#elif defined(_MSC_VER)
#define TRITONCACHE_DECLSPEC __declspec(dllimport)
#define TRITONCACHE_ISPEC __declspec(dllexport)
#elif defined(__GNUC__)
#define TRITONCACHE_DECLSPEC __attribute__((__visibility__("default")))
#define TRITONCACHE_ISPEC __attribute__((__visibility__("default")))
#else
#define TRITONCACHE_DECLSPEC
#define TRITONCACHE_ISPEC
#endif

#define TRITONCACHE_API_VERSION_MAJOR 0
#define TRITONCACHE_API_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque objects. */
typedef struct TRITONCACHE_Cache TRITONCACHE_Cache;
typedef struct TRITONCACHE_CacheEntry TRITONCACHE_CacheEntry;
typedef struct TRITONCACHE_Allocator TRITONCACHE_Allocator;

/* ---- Version ---- */

TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_ApiVersion(uint32_t* major, uint32_t* minor);

/* ---- Cache entry: the buffers of one cached response ---- */

TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_CacheEntryBufferCount(TRITONCACHE_CacheEntry* entry,
                                                                           size_t* count);
/* Borrows the buffer: for a lookup, until Copy returns. */
TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_CacheEntryAddBuffer(
    TRITONCACHE_CacheEntry* entry, void* base, TRITONSERVER_BufferAttributes* buffer_attributes);
/* Fills the attributes that the caller made. */
TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_CacheEntryGetBuffer(
    TRITONCACHE_CacheEntry* entry, size_t index, void** base,
    TRITONSERVER_BufferAttributes* buffer_attributes);
/* Replaces the address; null attributes keep the old ones. */
TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_CacheEntrySetBuffer(
    TRITONCACHE_CacheEntry* entry, size_t index, void* new_base,
    TRITONSERVER_BufferAttributes* buffer_attributes);
/* Lookup: from the entry into the response. Insert: from the response into the entry's
 * buffers. */
TRITONCACHE_DECLSPEC TRITONSERVER_Error* TRITONCACHE_Copy(TRITONCACHE_Allocator* allocator,
                                                          TRITONCACHE_CacheEntry* entry);

/* ---- Entry points of a cache: a cache defines them all ---- */

/* config: JSON. */
TRITONCACHE_ISPEC TRITONSERVER_Error* TRITONCACHE_CacheInitialize(TRITONCACHE_Cache** cache,
                                                                  const char* config);
TRITONCACHE_ISPEC TRITONSERVER_Error* TRITONCACHE_CacheFinalize(TRITONCACHE_Cache* cache);
/* ALREADY_EXISTS where the key is held. */
TRITONCACHE_ISPEC TRITONSERVER_Error* TRITONCACHE_CacheInsert(TRITONCACHE_Cache* cache, const char* key,
                                                              TRITONCACHE_CacheEntry* entry,
                                                              TRITONCACHE_Allocator* allocator);
/* NOT_FOUND on a miss. The entry is empty before and filled after. */
TRITONCACHE_ISPEC TRITONSERVER_Error* TRITONCACHE_CacheLookup(TRITONCACHE_Cache* cache, const char* key,
                                                              TRITONCACHE_CacheEntry* entry,
                                                              TRITONCACHE_Allocator* allocator);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TRITON_CORE_TRITONCACHE_H_ */
