#include "textflag.h"

// Which digits may end \u000X (1 and 2) and \u001X (4 and 8) in small letters where JSON
// has no short escape, by halves of the byte.
DATA cntLow<>+0(SB)/8, $0x050f0f0d0d0f0d05
DATA cntLow<>+8(SB)/8, $0x0000000000000404
GLOBL cntLow<>(SB), RODATA|NOPTR, $16
DATA cntHigh<>+0(SB)/8, $0x000a000005000000
DATA cntHigh<>+8(SB)/8, $0
GLOBL cntHigh<>(SB), RODATA|NOPTR, $16
DATA cnt5c<>+0(SB)/1, $0x5c
GLOBL cnt5c<>(SB), RODATA|NOPTR, $1
DATA cnt6e<>+0(SB)/1, $0x6e
GLOBL cnt6e<>(SB), RODATA|NOPTR, $1
DATA cnt75<>+0(SB)/1, $0x75
GLOBL cnt75<>(SB), RODATA|NOPTR, $1
DATA cnt2f<>+0(SB)/1, $0x2f
GLOBL cnt2f<>(SB), RODATA|NOPTR, $1
DATA cnt0f<>+0(SB)/1, $0x0f
GLOBL cnt0f<>(SB), RODATA|NOPTR, $1
DATA cnt30<>+0(SB)/1, $0x30
GLOBL cnt30<>(SB), RODATA|NOPTR, $1
DATA cnt31<>+0(SB)/1, $0x31
GLOBL cnt31<>(SB), RODATA|NOPTR, $1
DATA cnt03<>+0(SB)/1, $0x03
GLOBL cnt03<>(SB), RODATA|NOPTR, $1
DATA cnt0c<>+0(SB)/1, $0x0c
GLOBL cnt0c<>(SB), RODATA|NOPTR, $1

// func markBlocks(p *byte, blocks int, w *walk, marks *[walkBlocks]places64)
//
// A walk is {off [4]int; v, m [4]byte; carry, digits, odd, wide uint64}: at 0, 32, 36, 40,
// 48, 56, 64. With m the mask, v the value and x a byte, (m|x)^v is 0 where they match;
// the truth table of that is 0x36.
TEXT ·markBlocks(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ w+16(FP), DX
	MOVQ marks+24(FP), DI
	VPBROADCASTB 32(DX), Z16
	VPBROADCASTB 33(DX), Z17
	VPBROADCASTB 34(DX), Z18
	VPBROADCASTB 35(DX), Z19
	VPBROADCASTB 36(DX), Z20
	VPBROADCASTB 37(DX), Z21
	VPBROADCASTB 38(DX), Z22
	VPBROADCASTB 39(DX), Z23
	VPBROADCASTB cnt5c<>(SB), Z0
	VPBROADCASTB cnt6e<>(SB), Z1
	VPBROADCASTB cnt75<>(SB), Z2
	VPBROADCASTB cnt2f<>(SB), Z3
	VPXORD Z14, Z14, Z14
	MOVQ 40(DX), R8          // whether the first byte of the block is escaped
	MOVQ 48(DX), R9          // its first bytes that are digits of an escape

loop:
	TESTQ CX, CX
	JZ    done
	VMOVDQU64 (SI), Z8
	VPORD Z8, Z14, Z14
	VPCMPEQB Z8, Z0, K2
	MOVQ 0(DX), AX
	MOVQ 8(DX), BX
	VMOVDQA64 Z20, Z9
	VPTERNLOGD $0x36, (SI)(AX*1), Z16, Z9
	VMOVDQA64 Z21, Z10
	VPTERNLOGD $0x36, (SI)(BX*1), Z17, Z10
	MOVQ 16(DX), AX
	MOVQ 24(DX), BX
	VMOVDQA64 Z22, Z11
	VPTERNLOGD $0x36, (SI)(AX*1), Z18, Z11
	VMOVDQA64 Z23, Z12
	VPTERNLOGD $0x36, (SI)(BX*1), Z19, Z12
	VPORD Z9, Z10, Z9
	VPORD Z11, Z12, Z11
	VPORD Z9, Z11, Z9
	VPTESTNMB Z9, Z9, K1
	KMOVQ K1, R10            // where the literal may stand
	KMOVQ K2, R11            // backslashes
	ANDNQ R10, R9, R10
	XORQ R9, R9
	XORQ R12, R12            // line breaks
	MOVQ R11, AX
	ORQ  R8, AX
	JZ   store
	// What is escaped: runs of backslashes are told apart by whether they begin at an
	// even or odd place.
	ANDNQ R11, R8, AX
	LEAQ (R8)(AX*2), BX
	MOVQ $0x5555555555555555, R14
	ANDNQ AX, R14, R15
	ANDNQ R15, BX, R15
	XORQ R8, R8
	ADDQ AX, R15
	ADCQ $0, R8
	SHLQ $1, R15
	XORQ R14, R15
	ANDQ BX, R15
	ANDNQ R10, R15, R10
	VPCMPEQB Z8, Z1, K3
	VPCMPEQB Z8, Z2, K4
	VPCMPEQB Z8, Z3, K5
	KMOVQ K3, R12
	ANDQ R15, R12
	KORQ K4, K5, K6
	KMOVQ K6, AX
	TESTQ R15, AX
	JNZ  other

store:
	MOVQ R10, (DI)
	MOVQ R12, 8(DI)
	ADDQ $16, DI
	ADDQ $64, SI
	DECQ CX
	JMP  loop

other:
	KMOVQ K5, AX
	ANDQ R15, AX             // slashes
	ORQ  AX, 56(DX)
	KMOVQ K4, AX
	ANDQ R15, AX             // escapes by number
	JZ   store
	MOVQ AX, BX              // their four digits
	MOVQ AX, R13
	SHLQ $1, BX
	SHLQ $2, R13
	ORQ  R13, BX
	MOVQ BX, R13
	SHLQ $2, R13
	ORQ  R13, BX
	ANDNQ R10, BX, R10
	MOVQ AX, R9              // and those in the next block
	SHRQ $60, R9             // a place p of the last four reaches to p-60
	MOVQ R9, R13
	SHRQ $1, R13
	ORQ  R13, R9
	MOVQ R9, R13
	SHRQ $2, R13
	ORQ  R13, R9
	VMOVDQU64 3(SI), Z11
	VMOVDQU64 4(SI), Z12
	VPBROADCASTB cnt30<>(SB), Z4
	VPBROADCASTB cnt31<>(SB), Z5
	VPBROADCASTB cnt0f<>(SB), Z6
	VBROADCASTI32X4 cntLow<>(SB), Z9
	VBROADCASTI32X4 cntHigh<>(SB), Z10
	VPANDD Z12, Z6, Z7
	VPSHUFB Z7, Z9, Z9
	VPSRLW $4, Z12, Z7
	VPANDD Z7, Z6, Z7
	VPSHUFB Z7, Z10, Z10
	VPANDD Z9, Z10, Z9
	VPBROADCASTB cnt03<>(SB), Z6
	VPBROADCASTB cnt0c<>(SB), Z7
	VPTESTMB Z6, Z9, K3
	VPTESTMB Z7, Z9, K4
	VPCMPEQB Z11, Z4, K5
	KANDQ K3, K5, K3
	VPCMPEQB Z11, Z5, K5
	KANDQ K4, K5, K4
	KORQ  K3, K4, K3
	VPCMPEQB 1(SI), Z4, K5
	KANDQ K3, K5, K3
	VPCMPEQB 2(SI), Z4, K5
	KANDQ K3, K5, K3
	KMOVQ K3, BX
	ANDNQ AX, BX, AX         // those that are not usual
	ORQ  AX, 56(DX)
	JMP  store

done:
	MOVQ R8, 40(DX)
	MOVQ R9, 48(DX)
	VPMOVB2M Z14, K1
	KMOVQ K1, AX
	ORQ  AX, 64(DX)
	VZEROUPPER
	RET
