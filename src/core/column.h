#pragma once
// One attribute of all nodes or all elements: a flat array indexed by a strong id.

#include <cassert>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.h"

namespace sunder {

template <class IdType, class T>
class Column {
 public:
  Column() = default;
  // Numbers start at zero; Eigen's types, as everywhere, with no value until they are given one.
  explicit Column(std::size_t size) : data_(size) {}
  Column(std::size_t size, const T& value) : data_(size, value) {}

  T& operator[](IdType id) {
    assert(id.index < data_.size());
    return data_[id.index];
  }
  const T& operator[](IdType id) const {
    assert(id.index < data_.size());
    return data_[id.index];
  }

  std::size_t size() const { return data_.size(); }
  void resize(std::size_t size) { data_.resize(size); }
  void resize(std::size_t size, const T& value) { data_.resize(size, value); }
  void assign(std::size_t size, const T& value) { data_.assign(size, value); }
  void reserve(std::size_t size) { data_.reserve(size); }
  void push_back(T value) { data_.push_back(std::move(value)); }
  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  std::span<T> span() { return data_; }
  std::span<const T> span() const { return data_; }
  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  std::vector<T> data_;
};

}  // namespace sunder
