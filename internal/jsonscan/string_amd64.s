#include "textflag.h"

// Which characters JSON lets stand behind a backslash, by halves of the byte: one
// is allowed where the two tables have a bit in common.
DATA ·escLow+0(SB)/8, $0x00040808000d0000
DATA ·escLow+8(SB)/8, $0x0104000200000000
GLOBL ·escLow(SB), RODATA|NOPTR, $16
DATA ·escHigh+0(SB)/8, $0x0804020000010000
DATA ·escHigh+8(SB)/8, $0
GLOBL ·escHigh(SB), RODATA|NOPTR, $16

// The bytes that are looked for. They are read as vectors from memory: moving them
// through a scalar register would mix two encodings, which costs more than a short
// string.
DATA ·str22+0(SB)/1, $0x22
GLOBL ·str22(SB), RODATA|NOPTR, $1
DATA ·str5c+0(SB)/1, $0x5c
GLOBL ·str5c(SB), RODATA|NOPTR, $1
DATA ·str1f+0(SB)/1, $0x1f
GLOBL ·str1f(SB), RODATA|NOPTR, $1
DATA ·str75+0(SB)/1, $0x75
GLOBL ·str75(SB), RODATA|NOPTR, $1
DATA ·str0f+0(SB)/1, $0x0f
GLOBL ·str0f(SB), RODATA|NOPTR, $1
DATA ·str30+0(SB)/1, $0x30
GLOBL ·str30(SB), RODATA|NOPTR, $1
DATA ·str09+0(SB)/1, $0x09
GLOBL ·str09(SB), RODATA|NOPTR, $1
DATA ·str20+0(SB)/1, $0x20
GLOBL ·str20(SB), RODATA|NOPTR, $1
DATA ·str61+0(SB)/1, $0x61
GLOBL ·str61(SB), RODATA|NOPTR, $1
DATA ·str2f+0(SB)/1, $0x2f
GLOBL ·str2f(SB), RODATA|NOPTR, $1
DATA ·str05+0(SB)/1, $0x05
GLOBL ·str05(SB), RODATA|NOPTR, $1

// func stringEnd(p *byte, blocks int) (n int, flags uint64)
//
// Flags: 1 the closing quote stands at n; 2 a control character, 4 an escape that
// JSON does not know, 8 a \u before it whose digits go over the end of a block; 16
// the byte at n is escaped; 32 a \u stands before it, 64 an escaped slash; 128 a byte
// of a block is not ASCII.
TEXT ·stringEnd(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	XORQ R8, R8              // whether the first byte of the block is escaped
	XORQ DI, DI              // flags
	XORQ DX, DX              // offset
	VPBROADCASTB ·str22(SB), Y0      // "
	VPBROADCASTB ·str5c(SB), Y1      // backslash
	VPBROADCASTB ·str1f(SB), Y2      // the last control character
	VBROADCASTI128 ·escLow(SB), Y3
	VBROADCASTI128 ·escHigh(SB), Y4
	VPBROADCASTB ·str75(SB), Y5      // u
	VPBROADCASTB ·str0f(SB), Y6      // half a byte
	VPXOR Y7, Y7, Y7
	VPXOR Y14, Y14, Y14
	VPBROADCASTB ·str2f(SB), Y13     // slash

loop:
	TESTQ CX, CX
	JZ   out
	VMOVDQU (SI)(DX*1), Y8
	VPOR Y8, Y14, Y14
	VPCMPEQB Y8, Y0, Y9
	VPCMPEQB Y8, Y1, Y10
	VPMINUB Y8, Y2, Y11
	VPCMPEQB Y11, Y8, Y11
	VPOR Y9, Y10, Y12
	VPOR Y12, Y11, Y12
	VPTEST Y12, Y12
	JNZ  special
	TESTQ R8, R8
	JNZ  special
	ADDQ $32, DX
	DECQ CX
	JMP  loop

special:
	VPMOVMSKB Y9, R9         // quotes
	VPMOVMSKB Y10, R10       // backslashes
	VPMOVMSKB Y11, R11       // control characters
	MOVQ R8, R12             // what is escaped, where no backslash stands
	XORQ R13, R13            // carry out
	MOVQ R10, AX
	ORQ  R8, AX
	JZ   escaped
	// A backslash that is not escaped itself escapes the byte behind it: runs of
	// backslashes are told apart by whether they begin at an even or odd place.
	MOVQ R8, AX
	NOTQ AX
	ANDQ R10, AX             // backslashes that are not escaped by the carry
	LEAQ (R8)(AX*2), BX      // what follows one
	MOVQ $0x55555555, R14    // even places
	MOVQ AX, R15
	ANDNQ R15, R14, R15      // backslashes at odd places
	ANDNQ R15, BX, R15       // that begin a run
	ADDQ AX, R15             // the sum carries beyond the run
	MOVQ R15, R13
	SHRQ $32, R13
	ANDQ $1, R13             // a run goes over the end
	SHLQ $1, R15
	XORQ R14, R15
	ANDQ BX, R15
	MOVL R15, R12

escaped:
	MOVQ R12, AX
	ANDNQ R9, AX, R9         // quotes that are not escaped
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
	VPAND Y8, Y6, Y9
	VPSHUFB Y9, Y3, Y9
	VPSRLW $4, Y8, Y10
	VPAND Y10, Y6, Y10
	VPSHUFB Y10, Y4, Y10
	VPAND Y9, Y10, Y9
	VPCMPEQB Y9, Y7, Y9      // not allowed
	VPMOVMSKB Y9, AX
	ANDQ R12, AX
	JZ   known
	ORQ  $4, DI

known:
	VPCMPEQB Y8, Y13, Y9
	VPMOVMSKB Y9, AX
	ANDQ R12, AX
	JZ   noslash
	ORQ  $64, DI

noslash:
	VPCMPEQB Y8, Y5, Y9
	VPMOVMSKB Y9, AX
	ANDQ R12, AX
	JZ   noescape
	ORQ  $32, DI
	// Four digits must follow each. Where they go over the end of the block, they are
	// looked at by the caller.
	VPBROADCASTB ·str30(SB), Y9
	VPSUBB Y9, Y8, Y9
	VPBROADCASTB ·str09(SB), Y10
	VPMINUB Y9, Y10, Y10
	VPCMPEQB Y9, Y10, Y9     // 0 to 9
	VPBROADCASTB ·str20(SB), Y10
	VPOR Y10, Y8, Y10
	VPBROADCASTB ·str61(SB), Y11
	VPSUBB Y11, Y10, Y10
	VPBROADCASTB ·str05(SB), Y11
	VPMINUB Y10, Y11, Y11
	VPCMPEQB Y10, Y11, Y10   // a to f
	VPOR Y9, Y10, Y9
	VPMOVMSKB Y9, BX
	SHRQ $1, BX
	MOVQ BX, R15
	SHRQ $1, R15
	ANDQ R15, BX             // two digits in a row
	MOVQ BX, R15
	SHRQ $2, R15
	ANDQ R15, BX             // four
	ANDNQ AX, BX, BX         // places without
	TESTQ $0x0fffffff, BX
	JZ   digits
	ORQ  $4, DI

digits:
	SHRQ $28, BX
	JZ   noescape
	ORQ  $8, DI

noescape:
	TESTQ R9, R9
	JNZ  closed
	MOVQ R13, R8
	ADDQ $32, DX
	DECQ CX
	JMP  loop

closed:
	TZCNTQ R9, R9
	ADDQ R9, DX
	ORQ  $1, DI
	JMP  done

out:
	SHLQ $4, R8
	ORQ  R8, DI

done:
	VPMOVMSKB Y14, AX
	TESTL AX, AX
	JZ   ascii
	ORQ  $128, DI

ascii:
	MOVQ DX, n+16(FP)
	MOVQ DI, flags+24(FP)
	VZEROUPPER
	RET
