/* Hand-written C beside the compiled loops: the same hybrid test written out for one composition
   (what a programmer would write for one rig), and the same table of blocks called by pointer. */
#include <stdint.h>

typedef int32_t (*step)(int32_t *, void **, double *, const double *, const double *, double *,
                        const int64_t *);

/* The arguments of a block: it returns 0 and answers 1 to go on, anything else to stop. */
#define BLOCK(name)                                                                                \
    int32_t block_##name(int32_t *answer, void **raised, double *x, const double *p,               \
                         const double *u, double *y, const int64_t *n)
#define GO_ON { *answer = 1; return 0; }

/* One channel after the integrator: cubic predictor on a ring, dead time on a ring, specimen. */
typedef struct {
    const double *w;      /* weights of the predictor */
    int64_t m, q;         /* spacing of the predictor, whole ticks of the dead time */
    double r;             /* rest of a tick */
    double k, ak, band;   /* stiffness; bilinear: hardening stiffness and half band */
    double limit[6];      /* command, displacement, force */
} channel;

#define MASK 63
#define CHANNEL(target, bilinear)                                                                  \
    place = (place + 1) & MASK;                                                                    \
    targets[place] = (target);                                                                     \
    double command = 0.0;                                                                          \
    for (int i = 0; i < 4; i++) command += c->w[i] * targets[(place - i * c->m) & MASK];           \
    if (!(c->limit[0] <= command && command <= c->limit[1])) return -(i0 + 1);                     \
    commands[place] = command;                                                                     \
    double moved = (1.0 - c->r) * commands[(place - c->q) & MASK]                                  \
                 + c->r * commands[(place - c->q - 1) & MASK];                                     \
    if (bilinear) {                                                                                \
        force += c->k * (moved - before);                                                          \
        double middle = c->ak * moved;                                                             \
        if (force < middle - c->band) force = middle - c->band;                                    \
        if (force > middle + c->band) force = middle + c->band;                                    \
        before = moved;                                                                            \
    } else                                                                                         \
        force = c->k * moved;                                                                      \
    if (!(c->limit[2] <= moved && moved <= c->limit[3])) return -(i0 + 1);                         \
    if (!(c->limit[4] <= force && force <= c->limit[5])) return -(i0 + 1);

static inline __attribute__((always_inline)) int64_t
sdof(int bilinear, const channel *c, const double *a, const double *first, const double *e,
     int64_t samples, double *record, int64_t n) {
    double targets[64] = {0}, commands[64] = {0}, d = 0, d1 = 0, force = 0, before = 0;
    int64_t place = 0;
    for (int64_t i0 = 0; i0 < n; i0++) {
        double target = d;
        CHANNEL(target, bilinear)
        double drive = i0 < samples ? e[i0] : 0.0;
        double next = i0 ? a[0] * force + a[1] * drive + a[2] * d1 + a[3] * d
                         : first[0] + first[1] * force + first[2] * drive;
        d1 = d;
        d = next;
        double *row = record + 4 * i0;
        row[0] = target; row[1] = command; row[2] = moved; row[3] = force;
    }
    return n;
}

int64_t sdof_spring(const channel *c, const double *a, const double *first, const double *e,
                    int64_t samples, double *record, int64_t n) {
    return sdof(0, c, a, first, e, samples, record, n);
}

int64_t sdof_bilinear(const channel *c, const double *a, const double *first, const double *e,
                      int64_t samples, double *record, int64_t n) {
    return sdof(1, c, a, first, e, samples, record, n);
}

int64_t frame(const channel *c, const double *a, const double *first, const double *e,
              int64_t samples, double *record, int64_t n) {
    double targets[64] = {0}, commands[64] = {0}, x[6] = {0}, next[3], force = 0, before = 0;
    int64_t place = 0;
    for (int64_t i0 = 0; i0 < n; i0++) {
        double target = x[0];
        CHANNEL(target, 0)
        (void)before;
        double drive = i0 < samples ? e[i0] : 0.0;
        for (int i = 0; i < 3; i++) {
            double s;
            if (i0) {
                s = a[8 * i] * force + a[8 * i + 1] * drive;
                for (int j = 0; j < 6; j++) s += a[8 * i + 2 + j] * x[5 - j];
            } else
                s = first[3 * i] + first[3 * i + 1] * force + first[3 * i + 2] * drive;
            next[i] = s;
        }
        for (int i = 0; i < 3; i++) { x[3 + i] = x[i]; x[i] = next[i]; }
        double *row = record + 4 * i0;
        row[0] = target; row[1] = command; row[2] = moved; row[3] = force;
    }
    return n;
}

/* The blocks of the package, each a function of its own, for any size. */
BLOCK(copy) {
    for (int64_t i = 0; i < n[3]; i++) y[i] = u[i];
    GO_ON
}

BLOCK(polynomial) { /* p = spacing, then the weights; x = place of the newest, then the ring */
    int64_t *place = (int64_t *)x, mask = n[0] - 2, m = (int64_t)p[0];
    const double *w = p + 1;
    double *d = x + 1;
    int64_t k = (*place + 1) & mask;
    d[k] = u[0];
    *place = k;
    double s = w[0] * u[0];
    for (int64_t i = 1; i < n[1] - 1; i++) s += w[i] * d[(k - i * m) & mask];
    y[0] = s;
    GO_ON
}

BLOCK(guard) {
    for (int64_t i = 0; i < n[2]; i++)
        if (!(p[2 * i] <= u[i] && u[i] <= p[2 * i + 1])) {
            *answer = (int32_t)(i + 2);
            return 0;
        }
    GO_ON
}

BLOCK(dead_time) {
    int64_t *place = (int64_t *)x + n[0] - 1, mask = n[0] - 2, q = (int64_t)p[0];
    int64_t k = (*place + 1) & mask;
    double r = p[1];
    x[k] = u[0];
    *place = k;
    y[0] = (1.0 - r) * x[(k - q) & mask] + r * x[(k - q - 1) & mask];
    GO_ON
}

BLOCK(spring) {
    y[0] = p[0] * u[0];
    GO_ON
}

BLOCK(ground_motion) {
    int64_t k = (int64_t)x[0] * n[3];
    x[0] += 1.0;
    for (int64_t i = 0; i < n[3]; i++) y[i] = k + i < n[1] ? p[k + i] : 0.0;
    GO_ON
}

BLOCK(central_difference) {
    int64_t f = (n[0] - 1) / 2, nu = n[2], w = 2 * f + nu;
    double dt = p[0], started = x[2 * f];
    for (int64_t i = 0; i < f; i++) {
        double s;
        if (started == 0.0) {
            const double *row = p + 1 + f * w + i * (nu + 1);
            s = row[0];
            for (int64_t j = 0; j < nu; j++) s += row[1 + j] * u[j];
        } else {
            const double *row = p + 1 + i * w;
            s = row[0] * u[0];
            for (int64_t j = 1; j < nu; j++) s += row[j] * u[j];
            for (int64_t j = 0; j < 2 * f; j++) s += row[nu + j] * x[2 * f - 1 - j];
        }
        y[i] = s;
    }
    if (n[3] > f)
        for (int64_t i = 0; i < f; i++) {
            y[f + i] = x[i];
            if (started == 0.0) {
                y[2 * f + i] = x[f + i];
                y[3 * f + i] = 2.0 * (y[i] - x[i] - dt * x[f + i]) / (dt * dt);
            } else {
                y[2 * f + i] = (y[i] - x[f + i]) / (2.0 * dt);
                y[3 * f + i] = (y[i] - 2.0 * x[i] + x[f + i]) / (dt * dt);
            }
            y[4 * f + i] = y[2 * f + i] + dt * y[3 * f + i];
        }
    for (int64_t i = 0; i < f; i++) { x[f + i] = x[i]; x[i] = y[i]; }
    x[2 * f] = 1.0;
    GO_ON
}

/* The table loop, in C. */
int64_t table(const int64_t *rows, const int64_t *marks, int64_t period, int64_t ticks,
              const int64_t *slots, int64_t count, double *record) {
    int64_t phase = 0;
    for (int64_t done = 0; done < ticks; done++) {
        for (int64_t r = marks[phase]; r < marks[phase + 1]; r++) {
            const int64_t *row = rows + 8 * r;
            double *u = (double *)row[3];
            double *const *source = (double *const *)row[7];
            for (int64_t j = 0; j < row[6]; j++) u[j] = *source[j];
            int32_t answer;
            void *raised;
            if (((step)row[0])(&answer, &raised, (double *)row[1], (const double *)row[2], u,
                               (double *)row[4], (const int64_t *)row[5]) != 0 || answer != 1)
                return -(done + 1);
        }
        for (int64_t j = 0; j < count; j++) *record++ = *(double *)slots[j];
        if (++phase == period) phase = 0;
    }
    return ticks;
}
