/* The other side of an rths link over UDP, in C: springs that answer every command.

   cc -O2 -o rig examples/rig.c -lm && ./rig 52100 2250 1 [KEY FILE]
   (port, stiffness in N/m, actuators)

   Put your controller where the spring is. docs/theory/wire-format.md describes the packets and
   what a rig must do on its own; all words are 64 bits, little endian. The rig is triggered: it
   moves with each command, and by its own clock while none comes. Without a key it can be reached
   from this machine only. It ends after a goodbye, or a minute without a packet; yours would wait
   for the next session, and keep its latch where switching it off does not clear it. */

#include <arpa/inet.h>
#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>

enum { COMMAND = 1, MEASUREMENT = 2, HELLO = 3, WELCOME = 4, RELEASE = 5 };
enum { VERSION = 2, HEAD = 7, HASH = 2, MOST = 60, TEXT = 8, NAMES = 48, ABOUT = 14 };
enum { GOODBYE = 4, OIL_OFF = 16, TRIPPED = 32 };                     /* of the flags */
enum { OIL_LOST = 1, SILENCE = 16, RAMPING = 32, SAFE = 64, APPROACHING = 128, LATCHED = 256 };
enum { STANDING = 1024 };
enum { ENGAGED = 1, AT_REST = 2 };                                    /* of the state bits */
enum { WAIT, APPROACH, FOLLOW, HOLD, RETURN, REST, WITHOUT_OIL };
#define MS 1000000LL
#ifndef TIMEOUT
#define TIMEOUT (100 * MS) /* ns without a command after which the rig no longer follows */
#endif
#define STAY (500 * MS)    /* ns for which it then stays where it is */
#define RATE 0.01          /* m/s of an approach and of a return; the safe position is 0 */
static const char identity[8 * TEXT] = "springs in C";
static const double limits[4] = {0.1, 1.0, 50.0, 1e4}; /* m, m/s, m/s2, N of each actuator */

static struct {
    size_t m; /* actuators */
    int mode, ended, over; /* over: it has said goodbye after a test that went well */
    double position[MOST], command[MOST];
    uint64_t key[2], challenge[2], session[2], session_key[2], sequence, alarm, latch, latches;
    struct sockaddr_in peer;    /* who has the session */
    int64_t heard, moved, held; /* ns, of the last command, the last move, the begin of a hold */
} rig = {.ended = 1};

static uint64_t first_word(uint64_t type)
{
    return 0x53485452u | (uint64_t)VERSION << 32 | type << 40 | (uint64_t)rig.m << 48;
}

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void mix(uint64_t *v, int rounds)
{
    while (rounds--) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

/* SipHash-2-4 with 128 bits, of whole words. */
static void hash(const uint64_t *key, const uint64_t *data, size_t words, uint64_t *found)
{
    uint64_t v[] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d ^ 0xee,
                    key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
    for (size_t k = 0; k <= words; k++) {
        uint64_t m = k < words ? data[k] : (uint64_t)words << 59; /* bytes in the highest byte */
        v[3] ^= m, mix(v, 2), v[0] ^= m;
    }
    v[2] ^= 0xee, mix(v, 4), found[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd, mix(v, 4), found[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

static int whole(const uint64_t *p, size_t words, const uint64_t *key)
{
    uint64_t found[2];
    hash(key, p, words - HASH, found);
    return !((found[0] ^ p[words - 2]) | (found[1] ^ p[words - 1]));
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

static void new_challenge(void)
{
    if (getrandom(rig.challenge, sizeof rig.challenge, 0) != sizeof rig.challenge)
        exit(1);
}

/* Whether a session is above the one before by less than 2^64: nobody can use up the numbers. */
static int next(const uint64_t *a, const uint64_t *b)
{
    uint64_t low = a[0] - b[0], high = a[1] - b[1] - (a[0] < b[0]);
    return low && !high && (a[1] > b[1] || (a[1] == b[1] && a[0] > b[0]));
}

/* Whether bytes are a command that the rig may take; its key, if it begins a session. */
static int acceptable(const uint64_t *p, const struct sockaddr_in *peer, uint64_t *key)
{
    size_t words = HEAD + 3 * rig.m + HASH;
    if (p[3] == rig.session[0] && p[4] == rig.session[1] && (p[3] | p[4])) {
        if (rig.ended || p[1] <= rig.sequence) /* never again, late or doubled */
            return 0;
        if (peer->sin_port != rig.peer.sin_port ||
            peer->sin_addr.s_addr != rig.peer.sin_addr.s_addr)
            return 0;
        memcpy(key, rig.session_key, 16);
    } else {
        uint64_t made[] = {rig.challenge[0], rig.challenge[1], p[3], p[4]};
        if (rig.latch || !rig.ended || !next(p + 3, rig.session))
            return 0;
        hash(rig.key, made, 4, key);
    }
    if (!whole(p, words, key))
        return 0;
    for (size_t k = 0; k < 3 * rig.m; k++)
        if (!isfinite(number(p[HEAD + k])))
            return 0;
    return 1;
}

static void latch(uint64_t alarm)
{
    rig.alarm |= alarm | LATCHED;
    if (!rig.latch)
        rig.latch = ++rig.latches;
}

static void hear(const uint64_t *p, const struct sockaddr_in *peer, const uint64_t *key, int64_t t)
{
    if (p[3] != rig.session[0] || p[4] != rig.session[1]) {
        memcpy(rig.session, p + 3, 16), memcpy(rig.session_key, key, 16);
        rig.peer = *peer, rig.ended = rig.over = 0, rig.mode = APPROACH;
        new_challenge();
    }
    rig.sequence = p[1], rig.heard = t;
    for (size_t c = 0; c < rig.m; c++)
        rig.command[c] = number(p[HEAD + 3 * c]);
    if (p[5] & OIL_OFF && rig.mode != WAIT)
        rig.mode = WITHOUT_OIL, latch(OIL_LOST); /* your pressure is released here */
    if (p[5] & GOODBYE) {
        rig.ended = 1, rig.over = !(p[5] & TRIPPED);
        if (rig.mode == APPROACH || rig.mode == FOLLOW) {
            rig.mode = RETURN;
            if (p[5] & TRIPPED)
                latch(0);
        }
    }
}

/* Whether a text says something, and nothing that a terminal would obey. */
static int says(const uint64_t *text, size_t words)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t k = 0, letters = 0;
    for (; k < 8 * words && byte[k]; k++) {
        if (byte[k] < ' ' || byte[k] == 127)
            return 0;
        letters += byte[k] > 127 || isalpha(byte[k]);
    }
    return letters > 0;
}

/* End the latch if a person has said who he is and what the cause was. */
static void release(const uint64_t *p)
{
    int still = rig.mode == WAIT || rig.mode == REST || rig.mode == WITHOUT_OIL;
    int meant = rig.latch && p[5] == rig.latch && p[3] == rig.challenge[0] &&
                p[4] == rig.challenge[1];
    if (!still || !meant || !says(p + HEAD, TEXT) || !says(p + HEAD + 2 * TEXT, NAMES - 2 * TEXT))
        return;
    printf("released by %.64s: %.256s\n", (const char *)(p + HEAD),
           (const char *)(p + HEAD + 2 * TEXT));
    fflush(stdout);
    rig.latch = rig.alarm = 0, rig.ended = 1;
    if (rig.mode == WITHOUT_OIL)
        rig.mode = RETURN;
    new_challenge();
}

/* Follow the command, or go at no more than the safe rate. Your actuators move here. */
static void move(int64_t t)
{
    int64_t passed = t - rig.moved < 2 * MS ? t - rig.moved : 2 * MS; /* no leap after a pause */
    double most = RATE * 1e-9 * (double)passed;
    int met = 1;
    rig.moved = t;
    if ((rig.mode == APPROACH || rig.mode == FOLLOW) && t - rig.heard > TIMEOUT)
        rig.mode = HOLD, rig.held = t, latch(SILENCE);
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

static void begin(const uint64_t *in, uint64_t *out, uint64_t type)
{
    out[0] = first_word(type);
    out[1] = in[1]; /* the command that this answers */
    out[2] = (uint64_t)now();
    out[3] = in[3], out[4] = in[4];
    out[5] = rig.latch;
    out[6] = in[2];
}

/* Write the measurement that answers a command; its size in bytes. */
static size_t answer(const uint64_t *in, uint64_t *out, double stiffness)
{
    static const uint64_t status[] = {SAFE, APPROACHING, 0, 0, RAMPING, SAFE, STANDING};
    size_t words = HEAD + 4 * rig.m + HASH;
    begin(in, out, MEASUREMENT);
    for (size_t c = 0; c < rig.m; c++) {
        uint64_t *each = out + HEAD + 4 * c;
        each[0] = word(rig.position[c]);
        each[1] = rig.mode == FOLLOW ? in[HEAD + 3 * c + 1] : 0; /* your sensors are read here */
        each[2] = word(stiffness * rig.position[c]);
        each[3] = rig.alarm | status[rig.mode];
    }
    hash(rig.session_key, out, words - HASH, out + words - HASH);
    return 8 * words;
}

/* Write the welcome that answers a hello or a release; its size in bytes. */
static size_t welcome(const uint64_t *in, uint64_t *out)
{
    size_t words = HEAD + ABOUT + 4 * rig.m + HASH;
    uint64_t *body = out + HEAD;
    int still = rig.mode == WAIT || rig.mode == REST || rig.mode == WITHOUT_OIL;
    begin(in, out, WELCOME);
    memcpy(body, identity, sizeof identity);
    memcpy(body + 8, rig.challenge, 16), memcpy(body + 10, rig.session, 16);
    body[12] = (rig.ended ? 0 : ENGAGED) | (still ? AT_REST : 0);
    body[13] = 1 * MS;
    for (size_t c = 0; c < rig.m; c++)
        memcpy(body + ABOUT + 4 * c, limits, sizeof limits);
    hash(rig.key, out, words - HASH, out + words - HASH);
    return 8 * words;
}

/* Do what a packet says; the size of what answers it, or 0. */
static size_t deal(const uint64_t *in, size_t size, const struct sockaddr_in *peer, uint64_t *out,
                   double stiffness)
{
    uint64_t key[2];
    int64_t t = now();
    move(t); /* first, so that a silence is noticed also by one who comes late to it */
    if (size < 8 * (HEAD + HASH) || (in[0] & 0xFFFFFFFFu) != 0x53485452u)
        return 0;
    if ((in[0] >> 40 & 0xFF) == HELLO) /* of whatever version: who asks is told ours */
        return welcome(in, out);
    if (in[0] == first_word(RELEASE) && size == 8 * (HEAD + NAMES + HASH) &&
        whole(in, HEAD + NAMES + HASH, rig.key)) {
        release(in);
        return welcome(in, out);
    }
    if (in[0] != first_word(COMMAND) || size != 8 * (HEAD + 3 * rig.m + HASH) ||
        !acceptable(in, peer, key))
        return 0;
    hear(in, peer, key, t);
    move(t);
    return answer(in, out, stiffness);
}

static int read_key(const char *name)
{
    FILE *file = fopen(name, "r");
    uint8_t *byte = (uint8_t *)rig.key;
    unsigned value;
    for (int k = 0; file && k < 16; k++) {
        if (fscanf(file, "%2x", &value) != 1)
            return 0;
        byte[k] = (uint8_t)value;
    }
    return file && fclose(file) == 0 && (rig.key[0] | rig.key[1]);
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
    if (argc > 4 && !read_key(argv[4]))
        return fprintf(stderr, "%s: no key of 32 hexadecimal digits\n", argv[4]), 2;
    rig.m = (size_t)actuators;
    own.sin_addr.s_addr = htonl(argc > 4 ? INADDR_ANY : INADDR_LOOPBACK);
    if (s < 0 || bind(s, (struct sockaddr *)&own, sizeof own) < 0)
        return perror("socket"), 1;
    getsockname(s, (struct sockaddr *)&own, &length);
    printf("ready at 127.0.0.1:%d\n", ntohs(own.sin_port));
    fflush(stdout);

    uint64_t in[HEAD + 3 * MOST + HASH + 1], out[HEAD + ABOUT + 4 * MOST + HASH];
    struct pollfd wire = {.fd = s, .events = POLLIN};
    int64_t last = now();
    rig.moved = last;
    new_challenge();
    while (now() - last < 60000 * MS && !(rig.mode == REST && rig.over && !rig.latch)) {
        poll(&wire, 1, 1); /* a tick of 1 ms if nothing comes */
        length = sizeof peer;
        ssize_t size = recvfrom(s, in, sizeof in, MSG_DONTWAIT, (struct sockaddr *)&peer, &length);
        if (size < 0) {
            move(now());
            continue;
        }
        last = now();
        size_t answered = deal(in, (size_t)size, &peer, out, stiffness);
        if (answered)
            sendto(s, out, answered, 0, (struct sockaddr *)&peer, length);
    }
    return 0;
}
