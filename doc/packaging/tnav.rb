# A recipe for Homebrew on Linux: brew install --build-from-source ./tnav.rb, after url and sha256 were set to those
# of a tarball of `make dist`. No licence has been chosen for tnav yet, so it can't be in a public tap.
class Tnav < Formula
  desc "Terminal navigator for event traces of .NET programs"
  homepage "https://example.invalid/tnav"
  url "https://example.invalid/tnav-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license :cannot_represent

  depends_on "pkgconf" => :build
  depends_on "elfutils"
  depends_on :linux
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "utf8proc"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tnav --version")
  end
end
