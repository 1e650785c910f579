/**
 * Average fill in per cent that others have published for BR1 to BR7, all with every box supported over its whole base.
 * The figures are as the comparison tables of later articles quote them; none was run again here.
 */
export type Published = {
  readonly name: string;
  readonly source: string;
  readonly fill: Readonly<Record<string, number>>;
};

const SETS = ["BR1", "BR2", "BR3", "BR4", "BR5", "BR6", "BR7"];

function published(name: string, source: string, fills: readonly number[]): Published {
  return { name, source, fill: Object.fromEntries(SETS.map((set, at) => [set, fills[at]!])) };
}

export const PUBLISHED: readonly Published[] = [
  published(
    "H_BR 1995",
    "E. E. Bischoff, M. S. W. Ratcliff, Omega 23 (1995) 377-390: the layers that come with the problems",
    [83.37, 83.57, 83.59, 84.16, 83.89, 82.92, 82.14],
  ),
  published(
    "HGA 2001",
    "A. Bortfeldt, H. Gehring, European Journal of Operational Research 131 (2001) 143-161: a hybrid genetic algorithm",
    [87.81, 89.4, 90.48, 90.63, 90.73, 90.72, 90.65],
  ),
  published(
    "TS 1998",
    "A. Bortfeldt, H. Gehring, OR Spektrum 20 (1998) 237-250: tabu search",
    [92.63, 92.7, 92.31, 91.62, 90.86, 90.04, 88.63],
  ),
  published(
    "CLTRS 2010",
    "T. Fanslau, A. Bortfeldt, INFORMS Journal on Computing 22 (2010) 222-235: tree search, minutes a problem",
    [94.5, 94.73, 94.74, 94.41, 94.13, 93.85, 93.2],
  ),
];
