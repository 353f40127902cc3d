#include "svm/pose.h"

const pt_pose *pt_pose_of(partan_problem problem)
{
    static const pt_pose *const poses[] = {
        [PARTAN_CLASSIFICATION] = &pt_pose_classes,
        [PARTAN_REGRESSION] = &pt_pose_regression,
        [PARTAN_OUTLIER] = &pt_pose_outlier,
    };
    return poses[problem];
}
