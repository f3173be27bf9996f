#include "motion/kennedy_carpenter.h"

namespace stillpoint {

namespace {

// The first two columns are equal, by the stage order 2.
constexpr double a3 = 791020047304.0 / 3561426431547, a4 = -158159076358.0 / 11257294102345,
                 a5 = -1653327111580.0 / 4048416487981, a6 = -4540011970825.0 / 8418487046959,
                 a7 = -188593204321.0 / 4778616380481, b1 = -582099335757.0 / 7214068459310;

}  // namespace

const std::array<double, KennedyCarpenter::stages> KennedyCarpenter::c{
    0, 2 * gamma, 7121331996143.0 / 11335814405378, 49.0 / 353, 3706679970760.0 / 5295570149437, 347.0 / 382, 1};

const std::array<std::array<double, KennedyCarpenter::stages>, KennedyCarpenter::stages> KennedyCarpenter::a{{
    {},
    {gamma, gamma},
    {a3, a3, gamma},
    {a4, a4, -85517644447.0 / 5003708988389, gamma},
    {a5, a5, 1514767744496.0 / 9099671765375, 14283835447591.0 / 12247432691556, gamma},
    {a6, a6, -1790937573418.0 / 7393406387169, 10819093665085.0 / 7266595846747, 4109463131231.0 / 7386972500302,
     gamma},
    {a7, a7, 2809310203510.0 / 10304234040467, 1021729336898.0 / 2364210264653, 870612361811.0 / 2470410392208,
     -1307970675534.0 / 8059683598661, gamma},
}};

const std::array<double, KennedyCarpenter::stages> KennedyCarpenter::embedded{b1,
                                                                              b1,
                                                                              615023338567.0 / 3362626566945,
                                                                              3192122436311.0 / 6174152374399,
                                                                              6156034052041.0 / 14430468657929,
                                                                              -1011318518279.0 / 9693750372484,
                                                                              1914490192573.0 / 13754262428401};

}  // namespace stillpoint
