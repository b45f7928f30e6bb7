// libxml2 without its link to ICU, which would clash with the one that Foundation brings.
#ifndef REHOME_CLIBXML2_SHIM_H
#define REHOME_CLIBXML2_SHIM_H

#include <libxml2/libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml2/libxml/xmlreader.h>
#include <libxml2/libxml/xmlerror.h>
#include <libxml2/libxml/uri.h>

#endif
