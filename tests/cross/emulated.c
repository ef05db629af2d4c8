/* Preloaded into programs under qemu's user mode, which stands in for an Arm Linux except for three things that
   the process which reads files needs. For the trials of `cargo xtask cross` only; it is never shipped.

   1. Starting another Arm program: this machine's kernel does not know the format, and teaching it (binfmt_misc)
      takes an administrator and changes the whole machine. So the emulator is started with that program.
   2. RLIMIT_AS: the emulator answers that it is set and does nothing, since its own memory would count. The same
      number of bytes becomes the whole address space that the next emulator gives its program (-R).
   3. Where the main thread's stack lies, which Rust asks before main: the C library reads /proc/self/maps, the
      emulator writes a stand-in for that file into memory, and the kernel kills it for writing where RLIMIT_FSIZE
      is 0. Only there the answer is the one that the C library gives where /proc is not mounted.

   Every other bound is the kernel's own, on the emulator and the program in it together. Programs that are looked
   for on the path are left to the kernel: they are this machine's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef EMULATOR
#error "EMULATOR is the path of qemu's user mode for this processor"
#endif

/* Emulator, -0, name, -R, bytes, program; the program's words follow. */
#define WORDS_BEFORE 6

/* An address space is whole pages; no page is larger. */
#define PAGES 0x10000ull

static int (*next_execvp)(const char *, char *const[]);
static int (*next_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                         char *const[], char *const[]);
static int (*next_setrlimit)(__rlimit_resource_t, const struct rlimit *);
static int (*next_getattr)(pthread_t, pthread_attr_t *);
/* Bytes of address space for the program that is started from here; 0 is no bound. */
static unsigned long long address_space;

/* Looked up before main: between fork and exec nothing may take a lock. */
__attribute__((constructor)) static void look_up(void)
{
    *(void **)&next_execvp = dlsym(RTLD_NEXT, "execvp");
    *(void **)&next_spawn = dlsym(RTLD_NEXT, "posix_spawnp");
    *(void **)&next_setrlimit = dlsym(RTLD_NEXT, "setrlimit");
    *(void **)&next_getattr = dlsym(RTLD_NEXT, "pthread_getattr_np");
    /* This machine's programs could not load this file. The emulator sets the variable anew. */
    unsetenv("LD_PRELOAD");
}

static int is_for_this_processor(const char *file)
{
    Elf64_Ehdr head;
    int opened = strchr(file, '/') ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (opened < 0) return 0;
    ssize_t count = read(opened, &head, sizeof head);
    close(opened);
    return count == sizeof head && !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_machine == EM_AARCH64;
}

static size_t count_of(char *const words[])
{
    size_t count = 0;
    while (words[count]) count++;
    return count;
}

/* The words that start `file` in the emulator. `bytes` is room for a number. */
static void emulate(char *into[], char bytes[24], const char *file, char *const words[])
{
    size_t at = 0;
    into[at++] = EMULATOR;
    into[at++] = "-0";
    into[at++] = words[0];
    if (address_space) {
        snprintf(bytes, 24, "%llu", address_space);
        into[at++] = "-R";
        into[at++] = bytes;
    }
    into[at++] = (char *)file;
    /* As many as there are words: all but the first, and the null at the end. */
    memcpy(into + at, words + 1, count_of(words) * sizeof *words);
}

int execvp(const char *file, char *const words[])
{
    if (!words[0] || !is_for_this_processor(file)) return next_execvp(file, words);
    char *emulated[WORDS_BEFORE + count_of(words)], bytes[24];
    emulate(emulated, bytes, file, words);
    return execve(EMULATOR, emulated, environ);
}

int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const environment[])
{
    if (!words[0] || !is_for_this_processor(file))
        return next_spawn(process, file, actions, attributes, words, environment);
    char *emulated[WORDS_BEFORE + count_of(words)], bytes[24];
    emulate(emulated, bytes, file, words);
    return next_spawn(process, EMULATOR, actions, attributes, emulated, environment);
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *bound)
{
    int failed = next_setrlimit(resource, bound);
    if (!failed && resource == RLIMIT_AS)
        address_space = bound->rlim_cur == RLIM_INFINITY ? 0
                      : bound->rlim_cur < PAGES          ? PAGES
                                                         : bound->rlim_cur - bound->rlim_cur % PAGES;
    return failed;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    struct rlimit written;
    if (getpid() == gettid() && !getrlimit(RLIMIT_FSIZE, &written) && written.rlim_cur == 0) return ENOENT;
    return next_getattr(thread, attributes);
}
