#include "choir/crypto/keyed_hash.h"

#include <vector>

#include "crypto/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace choir {
namespace {

using Texts = std::vector<std::string>;

// hashlib.blake2b(b"".join(len(t).to_bytes(8, "little") + t for t in texts), digest_size=32,
// key=bytes(range(32)))
TEST(KeyedHash, IsBlake2bAsPythonComputesIt) {
  const Secret key = counting_secret(hash_key_bytes);
  const auto hash = [&](const Texts& texts) { return to_hex(keyed_hash(key, "test", texts)); };
  EXPECT_EQ(hash({}), "838592134b48a66f0291d7016955d33662040063af581d03463690fdb25280ff");
  EXPECT_EQ(hash({"ab", "c"}), "decfd6ca777f3840694142d9756511b792ed36a166ab74c5cd0a3cbe2f37b776");
  EXPECT_EQ(hash({"a", "bc"}), "d337f8b8cce980f53f7e5f566652e1e74c1454248cfc2abdf71d1626f9cf2565");
  EXPECT_EQ(hash({"", std::string(300, 'x')}),
            "379f4e2f7268492be2cdad9e00ea62ba03eaed46dafd6192dfb29bab290b4b3a");
}

TEST(KeyedHash, DependsOnKeyAndPurpose) {
  const Secret key = counting_secret(hash_key_bytes);
  const Texts texts = {"a"};
  EXPECT_EQ(keyed_hash(key, "order", texts), keyed_hash(key, "order", texts));
  EXPECT_NE(keyed_hash(key, "order", texts), keyed_hash(key, "name", texts));
  EXPECT_NE(keyed_hash(key, "order", texts), keyed_hash(Secret(hash_key_bytes), "order", texts));
  EXPECT_NE(keyed_hash(key, "a", {}), keyed_hash(key, "", texts));
}

TEST(KeyedHash, DiffersForSequencesThatDiffer) {
  const Secret key = counting_secret(hash_key_bytes);
  EXPECT_TRUE(rc::check("the texts of one sequence, cut elsewhere, hash to something else", [&] {
    // Few letters and short texts, so that concatenations often agree.
    const auto text = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0'));
    const auto sequence = rc::gen::container<Texts>(rc::gen::resize(3, text));
    const Texts a = *rc::gen::resize(4, sequence);
    const Texts b = *rc::gen::resize(4, sequence);
    RC_ASSERT((keyed_hash(key, "p", a) == keyed_hash(key, "p", b)) == (a == b));
  }));
}

TEST(KeyedHash, RefusesAKeyOfAnotherLength) {
  expect_error(ErrorCategory::InvalidArgument, {"it needs 32"}, [] { keyed_hash(Secret(16), "p", {}); });
}

}  // namespace
}  // namespace choir
