#pragma once
// Takes the noise out of a traced picture without blurring what is there.

#include "render/picture.h"

namespace sunder::render {

// An edge-avoiding a-trous filter (Dammertz et al. 2010) on the light divided by the surface's colour. Neighbours count
// if normal and depth agree and if their brightness differs by no more than the noise that the samples show (Schied et
// al. 2017): with many samples it leaves the picture alone.
void denoise(Picture& picture);

}  // namespace sunder::render
