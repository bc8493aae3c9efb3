"""Reprise for Spack 1.0 and later: what is committed in the checkout that this file lies in. To build
what is not committed: spack develop --path CHECKOUT reprise@main, in an environment."""
import pathlib

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Reprise(MesonPackage, CudaPackage):
    """Runs the numerical experiments of published GPU papers again, and sets what it finds beside
    what was printed, with a verdict for each cell."""

    license("MIT")

    version("main", git=pathlib.Path(__file__).resolve().parents[6].as_uri())

    variant("mpi", default=False, description="Several ranks, each with a GPU")
    variant("openblas", default=True, description="OpenBLAS and its LAPACK, to compare with")
    variant("sundials", default=False, description="ARKODE, to compare with")
    variant("docs", default=True, description="The man page")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0.1:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build", when="+docs")
    depends_on("zlib-api")
    depends_on("openblas", when="+openblas")
    depends_on("sundials@6:+openmp", when="+sundials")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@11.8:", when="+cuda")
    depends_on("nccl", type="run", when="+cuda+mpi")
    depends_on("gnuplot", type="run")

    # Older cards than those that the kernels are for.
    for arch in CudaPackage.cuda_arch_values:
        if int(arch.rstrip("af")) < 75:
            conflicts(f"cuda_arch={arch}", msg="GPUs have capability 7.5 or later")

    def meson_args(self):
        def feature(name, variant_name):
            return f"-D{name}={'enabled' if self.spec.satisfies('+' + variant_name) else 'disabled'}"

        args = [feature("peers", "openblas"), feature("sundials", "sundials"),
                feature("mpi", "mpi"), feature("docs", "docs")]
        if self.spec.satisfies("+cuda"):
            archs = self.spec.variants["cuda_arch"].value
            wanted = "all-major" if "none" in archs else ",".join(archs)
            return args + ["-Ddevice=cuda", f"-Dgpu_arch={wanted}"]
        return args + ["-Ddevice=emulated"]

    def setup_run_environment(self, env):
        """NCCL is looked for at run time."""
        if self.spec.satisfies("+cuda+mpi"):
            env.prepend_path("LD_LIBRARY_PATH", self.spec["nccl"].prefix.lib)
