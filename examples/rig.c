/* The other side of an rths link over UDP, in C: springs that answer every command.

   cc -O2 -o rig examples/rig.c -lm && ./rig 52100 2250 1    (port, stiffness in N/m, actuators)

   Put your controller where the spring is. docs/theory/wire-format.md describes the packets and
   what a rig must do on its own; all words are 64 bits, little endian. The rig is triggered: it
   moves with each command, and by its own clock while none comes. It ends after a goodbye, or a
   minute without a command; yours would wait for the next session. */

#include <arpa/inet.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { COMMAND = 1, MEASUREMENT = 2, HEAD = 5, MOST = 60, GOODBYE = 4 };
enum { SILENCE = 16, RAMPING = 32, SAFE = 64, APPROACHING = 128 }; /* of the status bits */
enum { WAIT, APPROACH, FOLLOW, HOLD, RETURN, REST };
#define MS 1000000LL
#ifndef TIMEOUT
#define TIMEOUT (100 * MS) /* ns without a command after which the rig no longer follows */
#endif
#define STAY (500 * MS)    /* ns for which it then stays where it is */
#define RATE 0.01          /* m/s of an approach and of a return; the safe position is 0 */

static struct {
    size_t m; /* actuators */
    int mode;
    double position[MOST], command[MOST];
    uint64_t session, ended, sequence, alarm;
    int64_t heard, moved, held; /* ns, of the last command, the last move, the begin of a hold */
} rig;

static uint64_t first_word(uint64_t type)
{
    return 0x53485452u | (uint64_t)1 << 32 | type << 40 | (uint64_t)rig.m << 48;
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
    return t.tv_sec * 1000 * MS + t.tv_nsec;
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

/* Whether bytes are a command that the rig may take. */
static int acceptable(const uint64_t *p, ssize_t size, int64_t t)
{
    size_t words = HEAD + 3 * rig.m + 1;
    if (size != (ssize_t)(8 * words) || p[0] != first_word(COMMAND))
        return 0;
    if (p[words - 1] != crc32(p, 8 * (words - 1)))
        return 0;
    for (size_t k = 0; k < 3 * rig.m; k++)
        if (!isfinite(number(p[HEAD + k])))
            return 0;
    uint64_t session = p[3] & 0xFFFFFFFFu;
    if (session == 0 || session == rig.ended)
        return 0; /* one that has said goodbye never comes back */
    if (session == rig.session)
        return p[1] > rig.sequence; /* else late or doubled */
    return rig.session == 0 || rig.session == rig.ended || t - rig.heard > TIMEOUT;
}

static void hear(const uint64_t *p, int64_t t)
{
    uint64_t session = p[3] & 0xFFFFFFFFu;
    if (session != rig.session)
        rig.mode = APPROACH, rig.alarm = 0; /* only a new session ends an alarm */
    rig.session = session, rig.sequence = p[1], rig.heard = t;
    for (size_t c = 0; c < rig.m; c++)
        rig.command[c] = number(p[HEAD + 3 * c]);
    if (p[3] >> 32 & GOODBYE) {
        rig.ended = session;
        if (rig.mode == APPROACH || rig.mode == FOLLOW)
            rig.mode = RETURN;
    }
}

/* Follow the command, or go at no more than the safe rate. Your actuators move here. */
static void move(int64_t t)
{
    int64_t passed = t - rig.moved < 2 * MS ? t - rig.moved : 2 * MS; /* no leap after a pause */
    double most = RATE * 1e-9 * (double)passed;
    int met = 1;
    rig.moved = t;
    if ((rig.mode == APPROACH || rig.mode == FOLLOW) && t - rig.heard > TIMEOUT)
        rig.mode = HOLD, rig.alarm = SILENCE, rig.held = t;
    if (rig.mode == HOLD && t - rig.held > STAY)
        rig.mode = RETURN;
    if (rig.mode != APPROACH && rig.mode != FOLLOW && rig.mode != RETURN)
        return;
    for (size_t c = 0; c < rig.m; c++) {
        double goal = rig.mode == RETURN ? 0.0 : rig.command[c], way = goal - rig.position[c];
        if (rig.mode != FOLLOW && fabs(way) > most)
            rig.position[c] += copysign(most, way), met = 0;
        else
            rig.position[c] = goal;
    }
    if (met && rig.mode != FOLLOW)
        rig.mode = rig.mode == APPROACH ? FOLLOW : REST;
}

/* Write the measurement that answers a command; its size in bytes. */
static size_t answer(const uint64_t *in, uint64_t *out, double stiffness)
{
    static const uint64_t status[] = {SAFE, APPROACHING, 0, 0, RAMPING, SAFE};
    size_t words = HEAD + 4 * rig.m + 1;
    out[0] = first_word(MEASUREMENT);
    out[1] = in[1]; /* the command that this answers */
    out[2] = (uint64_t)now();
    out[3] = rig.session;
    out[4] = in[2];
    for (size_t c = 0; c < rig.m; c++) {
        uint64_t *each = out + HEAD + 4 * c;
        each[0] = word(rig.position[c]);
        each[1] = rig.mode == FOLLOW ? in[HEAD + 3 * c + 1] : 0; /* your sensors are read here */
        each[2] = word(stiffness * rig.position[c]);
        each[3] = rig.alarm | status[rig.mode];
    }
    out[words - 1] = crc32(out, 8 * (words - 1));
    return 8 * words;
}

int main(int argc, char **argv)
{
    int port = argc > 1 ? atoi(argv[1]) : 52100, s = socket(AF_INET, SOCK_DGRAM, 0);
    double stiffness = argc > 2 ? atof(argv[2]) : 1000.0;
    int actuators = argc > 3 ? atoi(argv[3]) : 1;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}, peer;
    socklen_t length = sizeof own;
    if (actuators < 1 || actuators > MOST)
        return fprintf(stderr, "1 to %d actuators\n", MOST), 2;
    rig.m = (size_t)actuators;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* INADDR_ANY to be reached from outside */
    if (s < 0 || bind(s, (struct sockaddr *)&own, sizeof own) < 0)
        return perror("socket"), 1;
    getsockname(s, (struct sockaddr *)&own, &length);
    printf("ready at 127.0.0.1:%d\n", ntohs(own.sin_port));
    fflush(stdout);

    uint64_t in[HEAD + 3 * MOST + 2], out[HEAD + 4 * MOST + 1];
    struct pollfd wire = {.fd = s, .events = POLLIN};
    rig.heard = rig.moved = now();
    while (now() - rig.heard < 60000 * MS && !(rig.mode == REST && rig.ended == rig.session)) {
        poll(&wire, 1, 1); /* a tick of 1 ms if nothing comes */
        length = sizeof peer;
        ssize_t size = recvfrom(s, in, sizeof in, MSG_DONTWAIT, (struct sockaddr *)&peer, &length);
        int64_t t = now();
        move(t); /* first, so that a silence is noticed also by one who comes late to it */
        if (size < 0 || !acceptable(in, size, t))
            continue;
        hear(in, t);
        move(t);
        sendto(s, out, answer(in, out, stiffness), 0, (struct sockaddr *)&peer, length);
    }
    return 0;
}
