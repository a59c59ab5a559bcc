@.str = private constant [20 x i8] c"heddle_cluster_dims\00"
@.str.1 = private constant [5 x i8] c"a.cu\00"
@.args = private constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }
@.str.2 = private constant [15 x i8] c"heddle_maxnreg\00"
@.args.3 = private constant { i32 } { i32 40 }
@.str.4 = private constant [21 x i8] c"heddle_grid_constant\00"
@.str.5 = private constant [6 x i8] c"other\00"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_Z1kPi, ptr @.str, ptr @.str.1, i32 7, ptr @.args }, { ptr, ptr, ptr, i32, ptr } { ptr @_Z1kPi, ptr @.str.2, ptr @.str.1, i32 8, ptr @.args.3 }]
define dso_local void @_Z1kPi(ptr noundef byval({ i32, [2 x i8] }) align 4 %0, i32 noundef %1, ptr byval(%struct.S) "a,b" %2) #0 {
  %4 = alloca [12 x %struct.V], align 4
  %5 = alloca i32, align 4
  %6 = alloca %struct.V, align 32
  %7 = alloca <2 x float>, align 8, !dbg !3
  call void @llvm.var.annotation.p0.p0(ptr %0, ptr @.str.4, ptr @.str.1, i32 9, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %1, ptr @.str.4, ptr @.str.1, i32 9, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %2, ptr @.str.4, ptr @.str.1, i32 9, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %2, ptr @.str.5, ptr @.str.1, i32 9, ptr null)
  %8 = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %1, i32 %1) #1, !srcloc !4
  %9 = call i32 asm "mov.u32 $0, $1;", "=r,r"(i32 %1) #1
  %10 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #2
  %11 = call i32 asm "atom.add.u32 $0, [$1], 1;", "=r,l"(ptr %0) #2
  %12 = fptoui float %f to i8, !dbg !3
  %13 = fptosi double %d to i16
  %14 = fptosi float %f to i32
  %15 = fptoui <2 x float> %v to <2 x i8>
  ret void
}
define void @_Z1gi(ptr byval(%struct.S) %0) {
  call void @llvm.var.annotation.p0.p0(ptr %0, ptr @.str.4, ptr @.str.1, i32 9, ptr null)
  ret void
}
attributes #0 = { convergent }
attributes #1 = { nounwind memory(none) }
attributes #2 = { convergent nounwind }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @_Z1kPi, !"kernel", i32 1}
!12 = !{i32 1}
