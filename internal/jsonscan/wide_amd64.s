#include "textflag.h"

// Which digits may end an escape by number that most programs write, by halves of the
// byte: \u000X (1 and 2) stands for what has no short escape, \u001X (4 and 8) for all.
DATA numLow<>+0(SB)/8, $0x050f0f0d0d0f0d05
DATA numLow<>+8(SB)/8, $0x0000000000000404
GLOBL numLow<>(SB), RODATA|NOPTR, $16
DATA numHigh<>+0(SB)/8, $0x000a000005000000
DATA numHigh<>+8(SB)/8, $0
GLOBL numHigh<>(SB), RODATA|NOPTR, $16
// The characters behind a backslash that most programs write, but for u, likewise.
DATA shortLow<>+0(SB)/8, $0x00040008000d0000
DATA shortLow<>+8(SB)/8, $0x0004000200000000
GLOBL shortLow<>(SB), RODATA|NOPTR, $16
DATA wide03<>+0(SB)/1, $0x03
GLOBL wide03<>(SB), RODATA|NOPTR, $1
DATA wide0c<>+0(SB)/1, $0x0c
GLOBL wide0c<>(SB), RODATA|NOPTR, $1
DATA wide31<>+0(SB)/1, $0x31
GLOBL wide31<>(SB), RODATA|NOPTR, $1

// HEX finds the hexadecimal digits of X.
#define HEX(X, K) \
	VPSUBB Z20, X, Z24; \
	VPCMPUB $2, Z25, Z24, K; \
	VPORD  Z26, X, Z24; \
	VPSUBB Z27, Z24, Z24; \
	VPCMPUB $2, Z28, Z24, K7; \
	KORQ   K7, K, K

// func stringEndWide(p *byte, blocks int) (n int, flags uint64)
//
// Flags: 1 the closing quote stands at n; 2 a control character, 4 an escape that
// JSON does not know; 16 the byte at n is escaped; 32 a \u stands before n, 64 an escaped
// slash, 256 a \u that is not usual, 512 an escape; 128 a byte before n is not ASCII.
TEXT ·stringEndWide(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	XORQ R8, R8              // whether the first byte of the block is escaped
	XORQ DI, DI              // flags
	XORQ R13, R13
	VPBROADCASTB ·str22(SB), Z0      // "
	VPBROADCASTB ·str5c(SB), Z1      // backslash
	VPBROADCASTB ·str20(SB), Z2      // the first byte that is no control character
	VPXORD Z14, Z14, Z14

loop:
	TESTQ CX, CX
	JZ    out
	VMOVDQU64 (SI), Z8
	VPCMPEQB Z8, Z0, K1
	VPCMPEQB Z8, Z1, K2
	VPCMPUB $1, Z2, Z8, K3
	KORQ K1, K2, K4
	KORQ K3, K4, K4
	KORTESTQ K4, K4
	JNZ  special
	VPORD Z8, Z14, Z14
	ADDQ $64, SI
	DECQ CX
	JMP  loop

carried: // the last block ended in a backslash
	TESTQ CX, CX
	JZ    out
	VMOVDQU64 (SI), Z8
	VPCMPEQB Z8, Z0, K1
	VPCMPEQB Z8, Z1, K2
	VPCMPUB $1, Z2, Z8, K3

special:
	KMOVQ K1, R9             // quotes
	KMOVQ K2, R10            // backslashes
	KMOVQ K3, R11            // control characters
	XORQ R12, R12            // what is escaped
	XORQ R13, R13            // carry out
	MOVQ R10, AX
	ORQ  R8, AX
	JZ   escaped
	// A backslash that is not escaped itself escapes the byte behind it: runs of
	// backslashes are told apart by whether they begin at an even or odd place.
	MOVQ R8, AX
	ANDNQ R10, AX, AX        // backslashes that are not escaped by the carry
	LEAQ (R8)(AX*2), BX      // what follows one
	MOVQ $0x5555555555555555, R14 // even places
	ANDNQ AX, R14, R15       // backslashes at odd places
	ANDNQ R15, BX, R15       // that begin a run
	ADDQ AX, R15             // the sum carries beyond the run
	ADCQ $0, R13             // a run goes over the end
	SHLQ $1, R15
	XORQ R14, R15
	ANDQ BX, R15
	MOVQ R15, R12

escaped:
	ANDNQ R9, R12, R9        // quotes that are not escaped
	MOVQ $-1, R14            // places before the closing quote
	TESTQ R9, R9
	JZ   flags
	BLSMSKQ R9, R14
	SHRQ $1, R14

flags:
	ANDQ R14, R11
	JZ   nocontrol
	ORQ  $2, DI

nocontrol:
	ANDQ R14, R12
	JZ   noescape
	TESTQ $512, DI
	JNZ  ready
	ORQ  $512, DI
	VBROADCASTI32X4 shortLow<>(SB), Z3
	VBROADCASTI32X4 ·escHigh(SB), Z4
	VPBROADCASTB ·str75(SB), Z5      // u
	VPBROADCASTB ·str0f(SB), Z6      // half a byte
	VPBROADCASTB ·str2f(SB), Z7      // slash

ready:
	VPANDD Z8, Z6, Z9
	VPSHUFB Z9, Z3, Z9
	VPSRLW $4, Z8, Z10
	VPANDD Z10, Z6, Z10
	VPSHUFB Z10, Z4, Z10
	VPTESTMB Z9, Z10, K4
	KMOVQ K4, AX
	ANDNQ R12, AX, R12       // escapes that are not short
	JZ   noescape
	VPCMPEQB Z8, Z7, K5
	VPCMPEQB Z8, Z5, K6
	KORQ  K5, K6, K4
	KMOVQ K4, AX
	ANDNQ R12, AX, AX
	JZ   known
	ORQ  $4, DI

known:
	KMOVQ K5, AX
	TESTQ R12, AX
	JZ   noslash
	ORQ  $64, DI

noslash:
	KMOVQ K6, AX
	ANDQ R12, AX             // u
	JZ   noescape
	ORQ  $32, DI
	VMOVDQU64 1(SI), Z9
	VMOVDQU64 2(SI), Z10
	VMOVDQU64 3(SI), Z11
	VMOVDQU64 4(SI), Z12
	VPBROADCASTB ·str30(SB), Z20
	VPBROADCASTB wide31<>(SB), Z21
	VBROADCASTI32X4 numLow<>(SB), Z22
	VBROADCASTI32X4 numHigh<>(SB), Z23
	VPANDD Z12, Z6, Z24
	VPSHUFB Z24, Z22, Z24
	VPSRLW $4, Z12, Z25
	VPANDD Z25, Z6, Z25
	VPSHUFB Z25, Z23, Z25
	VPANDD Z24, Z25, Z24
	VPBROADCASTB wide03<>(SB), Z25
	VPBROADCASTB wide0c<>(SB), Z26
	VPTESTMB Z25, Z24, K4
	VPTESTMB Z26, Z24, K5
	VPCMPEQB Z11, Z20, K6
	KANDQ K4, K6, K4
	VPCMPEQB Z11, Z21, K6
	KANDQ K5, K6, K5
	KORQ  K4, K5, K4
	VPCMPEQB Z9, Z20, K6
	KANDQ K4, K6, K4
	VPCMPEQB Z10, Z20, K6
	KANDQ K4, K6, K4
	KMOVQ K4, BX
	ANDNQ AX, BX, AX         // those that are not usual
	JZ   noescape
	ORQ  $256, DI
	VPBROADCASTB ·str09(SB), Z25
	VPBROADCASTB ·str20(SB), Z26
	VPBROADCASTB ·str61(SB), Z27
	VPBROADCASTB ·str05(SB), Z28
	HEX(Z9, K4)
	HEX(Z10, K5)
	KANDQ K4, K5, K4
	HEX(Z11, K5)
	KANDQ K4, K5, K4
	HEX(Z12, K5)
	KANDQ K4, K5, K4
	KMOVQ K4, BX
	ANDNQ AX, BX, AX
	JZ   noescape
	ORQ  $4, DI

noescape:
	TESTQ R9, R9
	JNZ  closed
	VPORD Z8, Z14, Z14
	ADDQ $64, SI
	DECQ CX
	MOVQ R13, R8
	TESTQ R8, R8
	JZ   loop
	JMP  carried

closed:
	VPMOVB2M Z8, K4
	KMOVQ K4, AX
	TESTQ R14, AX
	JZ   narrow
	ORQ  $128, DI

narrow:
	TZCNTQ R9, R9
	ADDQ R9, SI
	ORQ  $1, DI
	JMP  done

out:
	SHLQ $4, R8
	ORQ  R8, DI

done:
	VPMOVB2M Z14, K4
	KORTESTQ K4, K4
	JZ   ascii
	ORQ  $128, DI

ascii:
	MOVQ p+0(FP), AX
	SUBQ AX, SI
	MOVQ SI, n+16(FP)
	MOVQ DI, flags+24(FP)
	VZEROUPPER
	RET
