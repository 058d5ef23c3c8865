#include "textflag.h"

// The 64 constants of SHA-256.
DATA constants<>+0x00(SB)/8, $0x71374491428a2f98
DATA constants<>+0x08(SB)/8, $0xe9b5dba5b5c0fbcf
DATA constants<>+0x10(SB)/8, $0x59f111f13956c25b
DATA constants<>+0x18(SB)/8, $0xab1c5ed5923f82a4
DATA constants<>+0x20(SB)/8, $0x12835b01d807aa98
DATA constants<>+0x28(SB)/8, $0x550c7dc3243185be
DATA constants<>+0x30(SB)/8, $0x80deb1fe72be5d74
DATA constants<>+0x38(SB)/8, $0xc19bf1749bdc06a7
DATA constants<>+0x40(SB)/8, $0xefbe4786e49b69c1
DATA constants<>+0x48(SB)/8, $0x240ca1cc0fc19dc6
DATA constants<>+0x50(SB)/8, $0x4a7484aa2de92c6f
DATA constants<>+0x58(SB)/8, $0x76f988da5cb0a9dc
DATA constants<>+0x60(SB)/8, $0xa831c66d983e5152
DATA constants<>+0x68(SB)/8, $0xbf597fc7b00327c8
DATA constants<>+0x70(SB)/8, $0xd5a79147c6e00bf3
DATA constants<>+0x78(SB)/8, $0x1429296706ca6351
DATA constants<>+0x80(SB)/8, $0x2e1b213827b70a85
DATA constants<>+0x88(SB)/8, $0x53380d134d2c6dfc
DATA constants<>+0x90(SB)/8, $0x766a0abb650a7354
DATA constants<>+0x98(SB)/8, $0x92722c8581c2c92e
DATA constants<>+0xa0(SB)/8, $0xa81a664ba2bfe8a1
DATA constants<>+0xa8(SB)/8, $0xc76c51a3c24b8b70
DATA constants<>+0xb0(SB)/8, $0xd6990624d192e819
DATA constants<>+0xb8(SB)/8, $0x106aa070f40e3585
DATA constants<>+0xc0(SB)/8, $0x1e376c0819a4c116
DATA constants<>+0xc8(SB)/8, $0x34b0bcb52748774c
DATA constants<>+0xd0(SB)/8, $0x4ed8aa4a391c0cb3
DATA constants<>+0xd8(SB)/8, $0x682e6ff35b9cca4f
DATA constants<>+0xe0(SB)/8, $0x78a5636f748f82ee
DATA constants<>+0xe8(SB)/8, $0x8cc7020884c87814
DATA constants<>+0xf0(SB)/8, $0xa4506ceb90befffa
DATA constants<>+0xf8(SB)/8, $0xc67178f2bef9a3f7
GLOBL constants<>(SB), RODATA|NOPTR, $256

// The order of bytes that turns the words of a message around.
DATA turn<>+0x00(SB)/8, $0x0405060700010203
DATA turn<>+0x08(SB)/8, $0x0c0d0e0f08090a0b
GLOBL turn<>(SB), RODATA|NOPTR, $16

// func features() uint32
TEXT ·features(SB), NOSPLIT, $0-4
	MOVL $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JB   none
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL BX, ret+0(FP)

none:
	RET

// Two hashes are under way. The one has its words in X1 and X2 and four times four words
// of its message in X3 to X6, the other in X7 and X8 and in X9 to X12.

// Four rounds with four words of a message, m.
#define ROUNDS(k, m, feba, hgdc) \
	MOVOU       m, X0           \
	PADDD       (k*16)(AX), X0  \
	SHA256RNDS2 X0, feba, hgdc  \
	PSHUFD      $0x0e, X0, X0   \
	SHA256RNDS2 X0, hgdc, feba

// The next four words from m, those before m and those before them, of which FIRST made
// the first half. t is changed.
#define SECOND(m, before, next, t) \
	MOVOU      m, t          \
	PALIGNR    $4, before, t \
	PADDD      t, next       \
	SHA256MSG2 m, next

#define FIRST(m, before) \
	SHA256MSG1 m, before

#define LOAD(at, from, m) \
	MOVOU  at(from), m \
	PSHUFB X15, m

// Adds what the words were before the block.
#define ADD(state, feba, hgdc, t) \
	MOVOU (state), t       \
	PADDD t, feba          \
	MOVOU feba, (state)    \
	MOVOU 16(state), t     \
	PADDD t, hgdc          \
	MOVOU hgdc, 16(state)

// func blocks(a, b *lanes, p, q *byte, n int)
TEXT ·blocks(SB), NOSPLIT, $0-40
	MOVQ  a+0(FP), DI
	MOVQ  b+8(FP), SI
	MOVQ  p+16(FP), R8
	MOVQ  q+24(FP), R9
	MOVQ  n+32(FP), CX
	TESTQ CX, CX
	JLE   end
	LEAQ  constants<>(SB), AX
	MOVOU turn<>(SB), X15
	MOVOU (DI), X1
	MOVOU 16(DI), X2
	MOVOU (SI), X7
	MOVOU 16(SI), X8

loop:
	LOAD(0, R8, X3)
	LOAD(0, R9, X9)
	LOAD(16, R8, X4)
	LOAD(16, R9, X10)
	LOAD(32, R8, X5)
	LOAD(32, R9, X11)
	LOAD(48, R8, X6)
	LOAD(48, R9, X12)
	ROUNDS(0, X3, X1, X2)
	ROUNDS(0, X9, X7, X8)
	ROUNDS(1, X4, X1, X2)
	FIRST(X4, X3)
	ROUNDS(1, X10, X7, X8)
	FIRST(X10, X9)
	ROUNDS(2, X5, X1, X2)
	FIRST(X5, X4)
	ROUNDS(2, X11, X7, X8)
	FIRST(X11, X10)
	ROUNDS(3, X6, X1, X2)
	SECOND(X6, X5, X3, X13)
	FIRST(X6, X5)
	ROUNDS(3, X12, X7, X8)
	SECOND(X12, X11, X9, X14)
	FIRST(X12, X11)
	ROUNDS(4, X3, X1, X2)
	SECOND(X3, X6, X4, X13)
	FIRST(X3, X6)
	ROUNDS(4, X9, X7, X8)
	SECOND(X9, X12, X10, X14)
	FIRST(X9, X12)
	ROUNDS(5, X4, X1, X2)
	SECOND(X4, X3, X5, X13)
	FIRST(X4, X3)
	ROUNDS(5, X10, X7, X8)
	SECOND(X10, X9, X11, X14)
	FIRST(X10, X9)
	ROUNDS(6, X5, X1, X2)
	SECOND(X5, X4, X6, X13)
	FIRST(X5, X4)
	ROUNDS(6, X11, X7, X8)
	SECOND(X11, X10, X12, X14)
	FIRST(X11, X10)
	ROUNDS(7, X6, X1, X2)
	SECOND(X6, X5, X3, X13)
	FIRST(X6, X5)
	ROUNDS(7, X12, X7, X8)
	SECOND(X12, X11, X9, X14)
	FIRST(X12, X11)
	ROUNDS(8, X3, X1, X2)
	SECOND(X3, X6, X4, X13)
	FIRST(X3, X6)
	ROUNDS(8, X9, X7, X8)
	SECOND(X9, X12, X10, X14)
	FIRST(X9, X12)
	ROUNDS(9, X4, X1, X2)
	SECOND(X4, X3, X5, X13)
	FIRST(X4, X3)
	ROUNDS(9, X10, X7, X8)
	SECOND(X10, X9, X11, X14)
	FIRST(X10, X9)
	ROUNDS(10, X5, X1, X2)
	SECOND(X5, X4, X6, X13)
	FIRST(X5, X4)
	ROUNDS(10, X11, X7, X8)
	SECOND(X11, X10, X12, X14)
	FIRST(X11, X10)
	ROUNDS(11, X6, X1, X2)
	SECOND(X6, X5, X3, X13)
	FIRST(X6, X5)
	ROUNDS(11, X12, X7, X8)
	SECOND(X12, X11, X9, X14)
	FIRST(X12, X11)
	ROUNDS(12, X3, X1, X2)
	SECOND(X3, X6, X4, X13)
	FIRST(X3, X6)
	ROUNDS(12, X9, X7, X8)
	SECOND(X9, X12, X10, X14)
	FIRST(X9, X12)
	ROUNDS(13, X4, X1, X2)
	SECOND(X4, X3, X5, X13)
	ROUNDS(13, X10, X7, X8)
	SECOND(X10, X9, X11, X14)
	ROUNDS(14, X5, X1, X2)
	SECOND(X5, X4, X6, X13)
	ROUNDS(14, X11, X7, X8)
	SECOND(X11, X10, X12, X14)
	ROUNDS(15, X6, X1, X2)
	ROUNDS(15, X12, X7, X8)
	ADD(DI, X1, X2, X13)
	ADD(SI, X7, X8, X14)
	ADDQ $64, R8
	ADDQ $64, R9
	DECQ CX
	JNZ  loop

end:
	RET
