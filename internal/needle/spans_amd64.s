#include "textflag.h"

// What of 32 bytes, once the bits of m are set, is in the range of a span: add brings
// the least of it to 0, and what is not above most is its own minimum with it.
#define SPAN(ptr, m, add, most, out, tmp) \
	VPOR (ptr)(DI*1), m, out; \
	VPADDB add, out, out; \
	VPMINUB most, out, tmp; \
	VPCMPEQB tmp, out, out

// func findSpans4(p *byte, blocks int, spans *[maxSpans]span) (block int, mask uint32)
//
// A span is {off int; m, add, most byte}: at 0, 8, 9, 10; the next one at 16.
TEXT ·findSpans4(SB), NOSPLIT, $0-36
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ spans+16(FP), AX
	MOVQ 0(AX), R8
	MOVQ 16(AX), R9
	MOVQ 32(AX), R10
	MOVQ 48(AX), R11
	ADDQ SI, R8
	ADDQ SI, R9
	ADDQ SI, R10
	ADDQ SI, R11
	VPBROADCASTB 8(AX), Y0
	VPBROADCASTB 9(AX), Y1
	VPBROADCASTB 10(AX), Y2
	VPBROADCASTB 24(AX), Y3
	VPBROADCASTB 25(AX), Y4
	VPBROADCASTB 26(AX), Y5
	VPBROADCASTB 40(AX), Y6
	VPBROADCASTB 41(AX), Y7
	VPBROADCASTB 42(AX), Y8
	VPBROADCASTB 56(AX), Y9
	VPBROADCASTB 57(AX), Y10
	VPBROADCASTB 58(AX), Y11
	XORQ DX, DX              // block
	XORQ DI, DI              // its offset
	XORQ R12, R12

each:
	CMPQ DX, CX
	JGE  done
	SPAN(R8, Y0, Y1, Y2, Y12, Y15)
	SPAN(R9, Y3, Y4, Y5, Y13, Y15)
	VPAND Y12, Y13, Y12
	SPAN(R10, Y6, Y7, Y8, Y13, Y15)
	SPAN(R11, Y9, Y10, Y11, Y14, Y15)
	VPAND Y13, Y14, Y13
	VPAND Y12, Y13, Y12
	VPMOVMSKB Y12, R12
	TESTL R12, R12
	JNZ  done
	ADDQ $1, DX
	ADDQ $32, DI
	JMP  each

done:
	MOVQ DX, block+24(FP)
	MOVL R12, mask+32(FP)
	VZEROUPPER
	RET
