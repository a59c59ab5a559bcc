// The suffix tree of a DNA text, built on the host after Ukkonen (Algorithmica 1995), and a sorted
// list of suffixes as an independent check of matches.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace workload {

// Symbols are 0..3. The text ends with the symbol 4, which is nowhere else, so that a match never
// ends in a leaf.
constexpr int kSymbols = 5, kTerminator = 4, kRoot = 0;

// 32 bytes. The edge from the parent has the text's symbols start..end-1. Child 0 means none: the
// root is nobody's child.
struct SuffixTreeNode {
  int children[kSymbols] = {};
  int start = 0, end = 0;
  int link = kRoot;  // of an inner node that spells xA: the node that spells A
};

class SuffixTree {
 public:
  explicit SuffixTree(const std::vector<unsigned char>& text) : text_(text), nodes_(1) {
    nodes_.reserve(2 * text.size() + 1);
    for (int i = 0; i < int(text_.size()); ++i) append(i);
  }
  const std::vector<SuffixTreeNode>& nodes() const { return nodes_; }

 private:
  int new_node(int start, int end) {
    SuffixTreeNode node;
    node.start = start;
    node.end = end;
    nodes_.push_back(node);
    return int(nodes_.size()) - 1;
  }
  int edge_length(int node) const { return nodes_[node].end - nodes_[node].start; }

  // Adds symbol `i` to every suffix that does not end in the tree yet. The active point is the
  // longest suffix that does: `length_` symbols from text_[edge_] below node `active_`.
  void append(int i) {
    int unlinked = kRoot;  // the inner node made last
    const auto link_to = [&](int node) {
      if (unlinked != kRoot) nodes_[unlinked].link = node;
      unlinked = node;
    };
    for (++pending_; pending_ > 0; --pending_) {
      if (length_ == 0) edge_ = i;
      const int child = nodes_[active_].children[text_[edge_]];
      if (child == 0) {
        const int leaf = new_node(i, int(text_.size()));
        nodes_[active_].children[text_[edge_]] = leaf;
        link_to(active_);
      } else {
        const int edge = edge_length(child);
        if (length_ >= edge) {
          active_ = child;
          edge_ += edge;
          length_ -= edge;
          ++pending_;
          continue;
        }
        if (text_[nodes_[child].start + length_] == text_[i]) {
          ++length_;
          link_to(active_);
          return;
        }
        split(child, i, link_to);
      }
      if (active_ == kRoot && length_ > 0) {
        --length_;
        edge_ = i - pending_ + 2;
      } else {
        active_ = nodes_[active_].link;
      }
    }
  }

  template <class LinkTo>
  void split(int child, int i, const LinkTo& link_to) {
    const int start = nodes_[child].start, middle = new_node(start, start + length_);
    const int leaf = new_node(i, int(text_.size()));
    nodes_[active_].children[text_[edge_]] = middle;
    nodes_[middle].children[text_[i]] = leaf;
    nodes_[child].start += length_;
    nodes_[middle].children[text_[nodes_[child].start]] = child;
    link_to(middle);
  }

  std::vector<unsigned char> text_;
  std::vector<SuffixTreeNode> nodes_;
  int active_ = kRoot, edge_ = 0, length_ = 0, pending_ = 0;
};

// The suffixes of a text in order; finds the longest prefix of a string that the text contains.
class SortedSuffixes {
 public:
  explicit SortedSuffixes(const std::vector<unsigned char>& text)
      : text_(text), suffixes_(text.size()) {
    std::iota(suffixes_.begin(), suffixes_.end(), 0);
    std::sort(suffixes_.begin(), suffixes_.end(), [&](int a, int b) {
      return std::lexicographical_compare(text_.begin() + a, text_.end(), text_.begin() + b,
                                          text_.end());
    });
  }
  int longest_match(const unsigned char* begin, const unsigned char* end) const {
    const auto place = std::lower_bound(
        suffixes_.begin(), suffixes_.end(), begin, [&](int suffix, const unsigned char* string) {
          return std::lexicographical_compare(text_.begin() + suffix, text_.end(), string, end);
        });
    int longest = 0;
    if (place != suffixes_.end()) longest = common(*place, begin, end);
    if (place != suffixes_.begin()) longest = std::max(longest, common(*(place - 1), begin, end));
    return longest;
  }

 private:
  int common(int suffix, const unsigned char* begin, const unsigned char* end) const {
    return int(std::mismatch(begin, end, text_.begin() + suffix, text_.end()).first - begin);
  }

  std::vector<unsigned char> text_;
  std::vector<int> suffixes_;
};

}  // namespace workload
