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

// func keyBlocksWide(p *byte, blocks int, hits *[hitRoom]hit) (block, n int)
//
// The halves of a block are noted as two blocks of 32 bytes.
TEXT ·keyBlocksWide(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ hits+16(FP), R14
	VPBROADCASTB keyNewline<>(SB), Z0
	VPBROADCASTB keyI<>(SB), Z1
	VPBROADCASTB keyD<>(SB), Z2
	VPBROADCASTB keyS<>(SB), Z3
	VPBROADCASTB keyQuote<>(SB), Z4
	XORQ DX, DX              // block
	XORQ R13, R13            // hits

next:
	CMPQ DX, CX
	JGE  all
	VMOVDQU64 (SI), Z8
	VMOVDQU64 2(SI), Z9
	VPCMPEQB Z8, Z0, K1      // newlines
	VPCMPEQB Z8, Z1, K2      // i
	VPCMPEQB 1(SI), Z2, K2, K3 // d behind it
	VPCMPEQB Z9, Z3, K3, K4  // s behind that
	VPCMPEQB Z9, Z4, K3, K5  // or a quote
	KORQ K4, K5, K2
	KORTESTQ K1, K2
	JNZ  note

after:
	INCQ DX
	ADDQ $64, SI
	JMP  next

note:
	KMOVQ K1, R12
	KMOVQ K2, R15
	LEAQ (DX)(DX*1), AX
	MOVL AX, 0(R14)
	MOVL R12, 4(R14)
	MOVL R15, 8(R14)
	INCQ AX
	SHRQ $32, R12
	SHRQ $32, R15
	MOVL AX, 12(R14)
	MOVL R12, 16(R14)
	MOVL R15, 20(R14)
	ADDQ $24, R14
	ADDQ $2, R13
	CMPQ R13, $64
	JLT  after
	INCQ DX

all:
	MOVQ DX, block+24(FP)
	MOVQ R13, n+32(FP)
	VZEROUPPER
	RET
