#include "textflag.h"

DATA kyd5c<>+0(SB)/1, $0x5c
GLOBL kyd5c<>(SB), RODATA|NOPTR, $1
DATA kyd0a<>+0(SB)/1, $0x0a
GLOBL kyd0a<>(SB), RODATA|NOPTR, $1
DATA kyd69<>+0(SB)/1, $0x69
GLOBL kyd69<>(SB), RODATA|NOPTR, $1
DATA kyd64<>+0(SB)/1, $0x64
GLOBL kyd64<>(SB), RODATA|NOPTR, $1
DATA kyd73<>+0(SB)/1, $0x73
GLOBL kyd73<>(SB), RODATA|NOPTR, $1
DATA kyd22<>+0(SB)/1, $0x22
GLOBL kyd22<>(SB), RODATA|NOPTR, $1

// func keyedBlocks(p *byte, blocks int, t *probe, hits *[hitRoom]keyedHit) (block, n int)
//
// A probe is {off [4]int; v, m [4]byte}: at 0, 32, 36. A hit is {block, newlines, ids,
// escapes, raw uint64}. With m the mask, v the value and x a byte, (m|x)^v is 0 where they
// match; the truth table of that is 0x36.
TEXT ·keyedBlocks(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ t+16(FP), AX
	MOVQ hits+24(FP), DI
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), BX
	VPBROADCASTB 32(AX), Z16
	VPBROADCASTB 33(AX), Z17
	VPBROADCASTB 34(AX), Z18
	VPBROADCASTB 36(AX), Z19
	VPBROADCASTB 37(AX), Z20
	VPBROADCASTB 38(AX), Z21
	VPBROADCASTB 35(AX), Z22
	VPBROADCASTB 39(AX), Z23
	VPBROADCASTB kyd0a<>(SB), Z0
	VPBROADCASTB kyd69<>(SB), Z1
	VPBROADCASTB kyd64<>(SB), Z2
	VPBROADCASTB kyd73<>(SB), Z3
	VPBROADCASTB kyd22<>(SB), Z4
	VPBROADCASTB kyd5c<>(SB), Z5
	XORQ DX, DX              // block
	XORQ R13, R13            // hits

next:
	CMPQ DX, CX
	JGE  all
	VMOVDQU64 (SI), Z8
	VMOVDQU64 1(SI), Z9
	VMOVDQU64 2(SI), Z10
	VMOVDQA64 Z19, Z11
	VPTERNLOGD $0x36, (SI)(R8*1), Z16, Z11
	VMOVDQA64 Z20, Z12
	VPTERNLOGD $0x36, (SI)(R9*1), Z17, Z12
	VMOVDQA64 Z21, Z13
	VPTERNLOGD $0x36, (SI)(R10*1), Z18, Z13
	VPTERNLOGD $0xfe, Z12, Z13, Z11  // all three
	VPTESTNMB Z11, Z11, K1   // the raw bytes
	VPCMPEQB Z8, Z5, K2
	VMOVDQA64 Z23, Z14
	VPTERNLOGD $0x36, (SI)(BX*1), Z22, Z14
	VPTESTNMB Z14, Z14, K2, K2 // escapes that may matter
	VPCMPEQB Z8, Z0, K3      // newlines
	VPCMPEQB Z8, Z1, K4      // i
	VPCMPEQB Z9, Z2, K4, K4  // d behind it
	VPCMPEQB Z10, Z3, K4, K5 // s behind that
	VPCMPEQB Z10, Z4, K4, K6 // or a quote
	KORQ K5, K6, K4
	KORQ K1, K2, K5
	KORQ K3, K4, K6
	KORTESTQ K5, K6
	JNZ  note

after:
	INCQ DX
	ADDQ $64, SI
	JMP  next

note:
	KMOVQ K3, R11
	KMOVQ K4, R12
	KMOVQ K2, R14
	KMOVQ K1, R15
	MOVQ DX, 0(DI)
	MOVQ R11, 8(DI)
	MOVQ R12, 16(DI)
	MOVQ R14, 24(DI)
	MOVQ R15, 32(DI)
	ADDQ $40, DI
	INCQ R13
	KTESTQ K5, K5
	JNZ  found
	CMPQ R13, $64
	JLT  after

found:
	INCQ DX

all:
	MOVQ DX, block+32(FP)
	MOVQ R13, n+40(FP)
	VZEROUPPER
	RET
