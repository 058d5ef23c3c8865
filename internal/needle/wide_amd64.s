#include "textflag.h"

// func find2Wide(p *byte, blocks int, a, b *pair) (block int, ma, mb uint64)
//
// A pair is {o1, o2 int; v1, m1, v2, m2 byte}: at 0, 8, 16, 17, 18, 19.
// With m the mask, v the value and x a byte, (m|x)^v is 0 where they match; the
// truth table of that is 0x36.
TEXT ·find2Wide(SB), NOSPLIT, $0-56
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ a+16(FP), AX
	MOVQ b+24(FP), BX
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	MOVQ 0(BX), R10
	MOVQ 8(BX), R11
	ADDQ SI, R8
	ADDQ SI, R9
	ADDQ SI, R10
	ADDQ SI, R11
	VPBROADCASTB 16(AX), Z0
	VPBROADCASTB 17(AX), Z1
	VPBROADCASTB 18(AX), Z2
	VPBROADCASTB 19(AX), Z3
	VPBROADCASTB 16(BX), Z4
	VPBROADCASTB 17(BX), Z5
	VPBROADCASTB 18(BX), Z6
	VPBROADCASTB 19(BX), Z7
	XORQ DX, DX              // block
	XORQ DI, DI              // its offset

two:
	LEAQ 2(DX), R12
	CMPQ R12, CX
	JGT  one
	VMOVDQA64  Z1, Z8
	VPTERNLOGD $0x36, (R8)(DI*1), Z0, Z8
	VMOVDQA64  Z3, Z9
	VPTERNLOGD $0x36, (R9)(DI*1), Z2, Z9
	VPORD      Z8, Z9, Z8
	VMOVDQA64  Z5, Z10
	VPTERNLOGD $0x36, (R10)(DI*1), Z4, Z10
	VMOVDQA64  Z7, Z11
	VPTERNLOGD $0x36, (R11)(DI*1), Z6, Z11
	VPORD      Z10, Z11, Z10
	VMOVDQA64  Z1, Z12
	VPTERNLOGD $0x36, 64(R8)(DI*1), Z0, Z12
	VMOVDQA64  Z3, Z13
	VPTERNLOGD $0x36, 64(R9)(DI*1), Z2, Z13
	VPORD      Z12, Z13, Z12
	VMOVDQA64  Z5, Z14
	VPTERNLOGD $0x36, 64(R10)(DI*1), Z4, Z14
	VMOVDQA64  Z7, Z15
	VPTERNLOGD $0x36, 64(R11)(DI*1), Z6, Z15
	VPORD      Z14, Z15, Z14
	VPMINUB    Z8, Z10, Z9
	VPMINUB    Z12, Z14, Z13
	VPMINUB    Z9, Z13, Z11
	VPTESTNMB  Z11, Z11, K1
	KORTESTQ   K1, K1
	JNZ        hit2
	ADDQ       $2, DX
	ADDQ       $128, DI
	JMP        two

hit2:
	VPTESTNMB Z9, Z9, K1
	KORTESTQ  K1, K1
	JNZ       first
	VPTESTNMB Z12, Z12, K1
	VPTESTNMB Z14, Z14, K2
	ADDQ      $1, DX
	JMP       done

first:
	VPTESTNMB Z8, Z8, K1
	VPTESTNMB Z10, Z10, K2
	JMP       done

one:
	CMPQ       DX, CX
	JGE        none
	VMOVDQA64  Z1, Z8
	VPTERNLOGD $0x36, (R8)(DI*1), Z0, Z8
	VMOVDQA64  Z3, Z9
	VPTERNLOGD $0x36, (R9)(DI*1), Z2, Z9
	VPORD      Z8, Z9, Z8
	VMOVDQA64  Z5, Z10
	VPTERNLOGD $0x36, (R10)(DI*1), Z4, Z10
	VMOVDQA64  Z7, Z11
	VPTERNLOGD $0x36, (R11)(DI*1), Z6, Z11
	VPORD      Z10, Z11, Z10
	VPMINUB    Z8, Z10, Z9
	VPTESTNMB  Z9, Z9, K1
	KORTESTQ   K1, K1
	JNZ        first
	ADDQ       $1, DX
	ADDQ       $64, DI
	JMP        one

none:
	KXORQ K1, K1, K1
	KXORQ K2, K2, K2

done:
	KMOVQ K1, R12
	KMOVQ K2, R13
	MOVQ  DX, block+32(FP)
	MOVQ  R12, ma+40(FP)
	MOVQ  R13, mb+48(FP)
	VZEROUPPER
	RET
