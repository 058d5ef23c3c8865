#include "textflag.h"

DATA keyNewline<>+0(SB)/1, $0x0a
GLOBL keyNewline<>(SB), RODATA|NOPTR, $1
DATA keyI<>+0(SB)/1, $0x69
GLOBL keyI<>(SB), RODATA|NOPTR, $1
DATA keyD<>+0(SB)/1, $0x64
GLOBL keyD<>(SB), RODATA|NOPTR, $1
DATA keyS<>+0(SB)/1, $0x73
GLOBL keyS<>(SB), RODATA|NOPTR, $1
DATA keyQuote<>+0(SB)/1, $0x22
GLOBL keyQuote<>(SB), RODATA|NOPTR, $1

// func keyBlocks(p *byte, blocks int, hits *[hitRoom]hit) (block, n int)
//
// A hit is {block, p, q uint32}.
TEXT ·keyBlocks(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ hits+16(FP), R14
	VPBROADCASTB keyNewline<>(SB), Y0
	VPBROADCASTB keyI<>(SB), Y1
	VPBROADCASTB keyD<>(SB), Y2
	VPBROADCASTB keyS<>(SB), Y3
	VPBROADCASTB keyQuote<>(SB), Y4
	XORQ DX, DX              // block
	XORQ R13, R13            // hits

next:
	CMPQ DX, CX
	JGE  all
	VMOVDQU (SI), Y8
	VMOVDQU 2(SI), Y9
	VPCMPEQB Y8, Y0, Y10     // newlines
	VPCMPEQB Y8, Y1, Y11     // i
	VPCMPEQB 1(SI), Y2, Y12  // d behind it
	VPCMPEQB Y9, Y3, Y13     // s behind that
	VPCMPEQB Y9, Y4, Y14     // or a quote
	VPAND Y11, Y12, Y11
	VPOR Y13, Y14, Y13
	VPAND Y11, Y13, Y11
	VPOR Y10, Y11, Y12
	VPTEST Y12, Y12
	JNZ  note

after:
	INCQ DX
	ADDQ $32, SI
	JMP  next

note:
	VPMOVMSKB Y10, R12
	VPMOVMSKB Y11, R15
	MOVL DX, 0(R14)
	MOVL R12, 4(R14)
	MOVL R15, 8(R14)
	ADDQ $12, R14
	INCQ R13
	CMPQ R13, $64
	JLT  after
	INCQ DX

all:
	MOVQ DX, block+24(FP)
	MOVQ R13, n+32(FP)
	VZEROUPPER
	RET
