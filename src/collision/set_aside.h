#pragma once
// Contacts that rest are kept apart from those that are found anew in every step.

#include <algorithm>
#include <functional>
#include <vector>

namespace sunder {

// Those of `contacts` that rest go to `resting` if settle(contact) says that they still touch, and those there that no
// longer rest come back. Both stay in order, by earlier(contact, contact).
template <class Contact, class Rests, class Settle, class Earlier>
void set_aside(std::vector<Contact>& contacts, std::vector<Contact>& resting, Rests&& rests, Settle&& settle,
               Earlier&& earlier) {
  const auto first_awake = std::stable_partition(resting.begin(), resting.end(), rests);
  const std::vector<Contact> woken(first_awake, resting.end());
  resting.erase(first_awake, resting.end());
  const auto first_asleep = std::stable_partition(contacts.begin(), contacts.end(), std::not_fn(rests));
  for (auto c = first_asleep; c != contacts.end(); ++c) {
    if (settle(*c)) resting.push_back(*c);
  }
  contacts.erase(first_asleep, contacts.end());
  contacts.insert(contacts.end(), woken.begin(), woken.end());
  std::stable_sort(contacts.begin(), contacts.end(), earlier);
  std::stable_sort(resting.begin(), resting.end(), earlier);
}

}  // namespace sunder
