#!/bin/bash
# Compiles the workloads whose machine code the tests execute. Needs nvcc 12.9 or later, and heddle.
here=$(cd "$(dirname "$0")" && pwd)
workloads=$here/../../../workloads
targets=
for architecture in 75 80 86 89 90; do
  targets+=" -gencode arch=compute_$architecture,code=sm_$architecture"
done
for name in vecadd reduction spmv_vector kmeans ispass/aes parboil/sad rodinia/lud; do
  nvcc -w -std=c++17 -I "$workloads" --compress-mode=size $targets -fatbin \
    -o "$here/$(basename $name).fatbin" "$workloads/$name.cu" || exit
done
# Programs of tests/cuda, where they have textures, barriers or meetings of lanes.
for name in textures:75,86,90 mipmaps:75,86,90 barriers:90 bulk_copies:90 branch_syncs:90 \
  tensor_copies:90a cluster_exchange:90 sparse_products:89 tensor_columns:90; do
  some=
  for architecture in $(tr , ' ' <<<"${name#*:}"); do
    some+=" -gencode arch=compute_$architecture,code=sm_$architecture"
  done
  name=${name%:*}
  nvcc -w -std=c++17 -fmad=false --compress-mode=size $some -fatbin \
    -o "$here/$name.fatbin" "$here/../../cuda/programs/$name.cu" || exit
done
# References, which nvcc 12 dropped: ptxas's code of the PTX that heddle cc makes, without lines.
heddle cc -O2 -ptx "$here/../../cuda/programs/textures.cu" -o /tmp/textures.ptx || exit
sed -i '/^[[:space:]]*\.\(loc\|file\)/d' /tmp/textures.ptx
images=
for architecture in 86 90; do
  ptxas -arch=sm_$architecture -o /tmp/textures_$architecture.cubin /tmp/textures.ptx || exit
  images+=" --image3=kind=elf,sm=$architecture,file=/tmp/textures_$architecture.cubin"
done
fatbinary -64 --create="$here/texture_references.fatbin" --compress-mode=size $images || exit
# With lines, so that it names a folder.
cp "$here/../planted.cu" /tmp/planted.cu
nvcc -w -std=c++17 --compress-mode=size -lineinfo -gencode arch=compute_75,code=sm_75 -fatbin \
  -o "$here/planted.fatbin" /tmp/planted.cu || exit
nvcc -w -std=c++17 --compress-mode=size $targets -fatbin -o "$here/calls.fatbin" "$here/calls.cu"
