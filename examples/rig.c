/* The other side of an rths link, in C: a spring that answers every command.

   cc -O2 -o rig examples/rig.c && ./rig 52100 2250        (port, stiffness in N/m)

   Put your controller where the spring is. docs/theory/wire-format.md describes the packets; all
   words are 64 bits, little endian. The rig ends itself after a minute without a command. */

#include <arpa/inet.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

enum { COMMAND = 1, MEASUREMENT = 2, HEAD = 5, MOST = 60 };
enum { PRESSURE = 1, SATURATED = 2, SENSOR = 4, STOPPED = 8, SILENCE = 16, RAMPING = 32, SAFE = 64 };
#define TIMEOUT 100000000 /* ns without a command after which a new session may begin */

static uint64_t first_word(uint64_t type, uint64_t actuators)
{
    return 0x53485452u | (uint64_t)1 << 32 | type << 40 | actuators << 48;
}

static uint32_t crc32(const void *data, size_t size)
{
    const uint8_t *byte = data;
    uint32_t c = 0xFFFFFFFFu;
    while (size--) {
        c ^= *byte++;
        for (int bit = 0; bit < 8; bit++)
            c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
    }
    return ~c;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double number(uint64_t word)
{
    double value;
    memcpy(&value, &word, 8);
    return value;
}

static uint64_t word(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

/* Number of actuators of a whole, finite command; 0 if the bytes are anything else. */
static size_t actuators_of(const uint64_t *p, ssize_t size)
{
    if (size < 8 * (HEAD + 1))
        return 0;
    size_t m = p[0] >> 48, words = HEAD + 3 * m + 1;
    if (m < 1 || m > MOST || size != (ssize_t)(8 * words) || p[0] != first_word(COMMAND, m))
        return 0;
    if (p[words - 1] != crc32(p, 8 * (words - 1)))
        return 0;
    for (size_t k = 0; k < 3 * m; k++)
        if (!isfinite(number(p[HEAD + k])))
            return 0;
    return m;
}

int main(int argc, char **argv)
{
    int port = argc > 1 ? atoi(argv[1]) : 52100, s = socket(AF_INET, SOCK_DGRAM, 0);
    double stiffness = argc > 2 ? atof(argv[2]) : 1000.0;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}, peer;
    struct timeval minute = {.tv_sec = 60};
    socklen_t length = sizeof own;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* INADDR_ANY to be reached from outside */
    if (s < 0 || bind(s, (struct sockaddr *)&own, sizeof own) < 0)
        return perror("socket"), 1;
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
    getsockname(s, (struct sockaddr *)&own, &length);
    printf("ready at 127.0.0.1:%d\n", ntohs(own.sin_port));
    fflush(stdout);

    uint64_t in[HEAD + 3 * MOST + 2], out[HEAD + 4 * MOST + 1];
    uint64_t session = 0, sequence = 0;
    int64_t heard = 0;
    for (;;) {
        length = sizeof peer;
        ssize_t size = recvfrom(s, in, sizeof in, 0, (struct sockaddr *)&peer, &length);
        if (size < 0)
            return 0;
        size_t m = actuators_of(in, size);
        uint64_t theirs = in[3] & 0xFFFFFFFFu;
        if (m == 0 || theirs == 0)
            continue; /* not ours */
        if (theirs == session && in[1] <= sequence)
            continue; /* late or doubled */
        if (theirs != session && session != 0 && now() - heard <= TIMEOUT)
            continue; /* another loop, while the first is alive */
        session = theirs, sequence = in[1], heard = now();
        if (in[3] >> 32 & 4)
            return 0; /* goodbye */

        out[0] = first_word(MEASUREMENT, m);
        out[1] = in[1]; /* the command that this answers */
        out[2] = (uint64_t)now();
        out[3] = session;
        out[4] = in[2];
        for (size_t c = 0; c < m; c++) {
            uint64_t *each = out + HEAD + 4 * c;
            double displacement = number(in[HEAD + 3 * c]); /* your actuator moves here */
            each[0] = word(displacement);
            each[1] = in[HEAD + 3 * c + 1];
            each[2] = word(stiffness * displacement);
            each[3] = 0; /* all is well */
        }
        size_t words = HEAD + 4 * m + 1;
        out[words - 1] = crc32(out, 8 * (words - 1));
        sendto(s, out, 8 * words, 0, (struct sockaddr *)&peer, length);
    }
}
