/* What scalar code can contain, once as PTX from clang (mixture.O0.ptx, mixture.O3.ptx) and once in
   the test itself: clang-22 --target=nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature
   -Xclang +ptx83 -fwrapv -ffp-contract=off -O3 -S mixture.c -o mixture.O3.ptx */
typedef long long i64;
typedef unsigned u32;
typedef unsigned long long u64;
#ifdef __NVPTX__
#define KERNEL __attribute__((device_kernel))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define LANE_ARGUMENT
#else
#define KERNEL
#define TID tid
#define LANE_ARGUMENT , int tid
#endif
static __attribute__((noinline)) int helper(int a, int b) { return b ? a / b + (a ^ b) % 7 : a; }
KERNEL void mixture(i64 *out, const int *in, const float *f, const double *d, const signed char *c,
                    const unsigned short *h LANE_ARGUMENT) {
  int t = TID;
  i64 r = 0;
  int a = in[t], b = in[t + 32];
  u32 ua = a, ub = b;
  i64 la = ((i64)a << 20) ^ b, lb = ((i64)b << 13) + a;
  r += a * b;
  r ^= (i64)a * b;
  r += helper(a, b);
  r += ub ? ua / ub + ua % ub : 1;
  r ^= lb ? la / lb : 3;
  r += lb ? (i64)((u64)la % (u64)lb) : 1;
  r += c[t] * c[t + 1];
  r ^= h[t] << 3;
  r += (short)(h[t] * c[t]);
  r ^= (a >> (b & 31)) + (ua >> (b & 31)) + (la >> (b & 63)) + (la << (a & 63));
  r += __builtin_popcount(ua) + __builtin_clz(ua | 1) + __builtin_ctz(ub | 256);
  r ^= __builtin_bswap32(ua);
  r ^= __builtin_bitreverse32(ub);
  r += (ua << 7 | ua >> 25) ^ (ub >> 9 | ub << 23);
  r += ((u64)la << 17 | (u64)la >> 47);
  float x = f[t], y = f[t + 7];
  r += (int)(x * 100);
  r ^= (u32)(y * y);
  r += (i64)(x / (y * y + 1) * 1e6f);
  r += x < y;
  r += !(x >= y) * 2;
  double z = d[t];
  r += (i64)(z * 1e9);
  r ^= (u64)(z * z);
  r += (i64)((float)z * 1000);
  r += (i64)__builtin_fma(z, z, x);
  r += (i64)(__builtin_floor(z) + __builtin_ceilf(x) + __builtin_trunc(z) + __builtin_rint(z) * 3);
  r += (short)a;
  r += (signed char)b;
  r ^= (unsigned char)a;
  r += (i64)(float)la;
  r += (i64)((double)(u64)lb / 3);
  r += (i64)__builtin_fminf(x, y) + (i64)__builtin_fmaxf(x, y) * 5;
  _Float16 hx = (_Float16)x, hy = (_Float16)y;
  hx = hx * hy + (_Float16)0.5;
  r += (i64)((float)hx * 64);
  __int128 w = (__int128)la * lb + r;
  r ^= (i64)(w >> 64) + (i64)w;
  u32 arr[8];
  for (int i = 0; i < 8; ++i)
    arr[(i * 3 + a) & 7] = ua * i + t;
  r += arr[b & 7];
  int n = 0;
  for (u32 q = ua & 1023; q != 1 && n < 50 && q; q = q & 1 ? 3 * q + 1 : q >> 1)
    ++n;
  r += n;
  switch ((ua >> 3) % 5) {
  case 0:
    r += 11;
    break;
  case 1:
    r ^= 0x55;
    break;
  case 2:
    r = -r;
    break;
  case 3:
    r *= 3;
    break;
  default:
    r += a;
  }
  out[t] = r;
}
