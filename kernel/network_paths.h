/* The vector paths of the network. */
#ifndef KORGOOL_NETWORK_PATHS_H
#define KORGOOL_NETWORK_PATHS_H

#include "network.h"

/* The function of one path, the portable one for those that this machine was not compiled for. */
kg_network_path kg_network_choose(const kg_network *network, int path);

#endif
