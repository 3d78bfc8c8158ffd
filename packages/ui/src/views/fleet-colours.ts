import { byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import { formatHourlyPrice, type NodeRow, nodeStageWords } from '@nodewright/dashboard/rows';
import { countSecondsBetween } from '../parts/count-seconds.ts';

/** What cells are coloured by. */
export const fleetColourings = ['health', 'image', 'age', 'drift', 'price'] as const;

export type FleetColouring = (typeof fleetColourings)[number];

/** One colour, as a class of the style sheet, with its meaning. */
export type LegendEntry = { readonly className: string; readonly words: string; readonly count: number };

export type FleetColours = {
  readonly classOf: (node: NodeRow) => string;
  readonly legend: readonly LegendEntry[];
};

type Classified = { readonly className: string; readonly words: string };

/** The colours of all cells, with a legend in a fixed order. */
export function colourFleet(nodes: readonly NodeRow[], colouring: FleetColouring, at: string): FleetColours {
  const { classify, order } = chooseClasses(nodes, colouring, at);
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const { className } = classify(node);
    counts.set(className, (counts.get(className) ?? 0) + 1);
  }
  return {
    classOf: (node) => classify(node).className,
    legend: order.flatMap((entry) => {
      const count = counts.get(entry.className) ?? 0;
      return count === 0 ? [] : [{ ...entry, count }];
    }),
  };
}

type ClassChoice = { readonly classify: (node: NodeRow) => Classified; readonly order: readonly Classified[] };

function chooseClasses(nodes: readonly NodeRow[], colouring: FleetColouring, at: string): ClassChoice {
  switch (colouring) {
    case 'health':
      return { classify: ({ stage }) => stageClasses.get(stage) ?? otherNames, order: [...stageClasses.values()] };
    case 'image':
      return chooseByName(nodes, ({ release, image }) => release ?? image ?? 'unknown');
    case 'drift':
      return chooseByName(nodes, ({ drift }) => drift?.reason ?? 'no drift');
    case 'age':
      return chooseByStep(ageSteps, ({ createdAt }) =>
        createdAt === undefined ? undefined : countSecondsBetween(createdAt, at) / secondsOfDay,
      );
    case 'price':
      return chooseByStep(priceSteps, ({ microUsdPerHour }) => microUsdPerHour);
  }
}

const stageClasses: ReadonlyMap<string, Classified> = new Map(
  nodeStageWords.map(([stage, words]) => [stage, { className: `stage-${stage}`, words }]),
);

const mostColouredNames = 7;
const otherNames: Classified = { className: 'name-other', words: 'others' };

/** The names that most nodes have get a colour each, the rest share one. */
function chooseByName(nodes: readonly NodeRow[], nameOf: (node: NodeRow) => string): ClassChoice {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(nameOf(node), (counts.get(nameOf(node)) ?? 0) + 1);
  const names = [...counts]
    .toSorted(
      inOrder(
        inReverse(byNumberOf(([, nodes]) => nodes)),
        byTextOf(([name]) => name),
      ),
    )
    .map(([name]) => name);
  const entries = new Map(
    names.slice(0, mostColouredNames).map((name, index) => [name, { className: `name-${index}`, words: name }]),
  );
  return {
    classify: (node) => entries.get(nameOf(node)) ?? otherNames,
    order: [...entries.values(), otherNames],
  };
}

type ColourStep = { readonly below: number; readonly words: string };

const secondsOfDay = 86_400;

const ageSteps: readonly ColourStep[] = [
  { below: 1, words: 'less than a day' },
  { below: 7, words: 'less than a week' },
  { below: 30, words: 'less than 30 days' },
  { below: 90, words: 'less than 90 days' },
  { below: Infinity, words: '90 days and more' },
];

const priceSteps: readonly ColourStep[] = [50_000, 150_000, 500_000, 2_000_000, Infinity].map((below) => ({
  below,
  words: below === Infinity ? 'more' : `less than ${formatHourlyPrice(below)} an hour`,
}));

const unknownStep: Classified = { className: 'name-other', words: 'unknown' };

function chooseByStep(steps: readonly ColourStep[], valueOf: (node: NodeRow) => number | undefined): ClassChoice {
  const order = steps.map(({ words }, index) => ({ className: `step-${index}`, words }));
  return {
    classify(node) {
      const value = valueOf(node);
      const index = value === undefined ? -1 : steps.findIndex(({ below }) => value < below);
      return order[index] ?? unknownStep;
    },
    order: [...order, unknownStep],
  };
}
