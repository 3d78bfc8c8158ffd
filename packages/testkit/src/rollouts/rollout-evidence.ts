import type { RolloutLook } from '@nodewright/apis';
import { allowedErrorOfLook, compareWithPeers, type OwnerCounters, sufficientStarts } from '@nodewright/engine/inner';
import { type Random, seededRandom } from '@nodewright/runtime';

/** One canary: a new node beside old ones, pods that start at random, and what breaks them. */
export type EvidenceRun = {
  readonly seed: number;
  /** Share of starts that the new image breaks. */
  readonly broken: number;
  /** Share of starts that fail whatever the image. */
  readonly background: number;
  /** Share of starts that fail on all nodes in the last hour. */
  readonly outage?: number;
  /** Starts of one node. */
  readonly startsPerHour: number;
  readonly soakHours: number;
  readonly peers: number;
};

const variant = 'AL2023/amd64/none';
const owners = ['web', 'worker', 'jobs'] as const;
const historyHours = 7 * 24;
const count = { signals: 3, variants: 1 };

type Tally = { starts: number; failedStarts: number };

/** Lives through the soak hour by hour, with a look wherever one is due and one at its end. */
export function simulateRolloutEvidence(run: EvidenceRun): {
  readonly halted: boolean;
  readonly insufficient: boolean;
} {
  const random = seededRandom(`evidence-${run.seed}`);
  const tallies = new Map<string, Tally>();
  addStarts(tallies, random, { side: 'peersBefore', nodeHours: run.peers * historyHours, share: run.background, run });
  let last: RolloutLook | undefined;
  for (let passed = 1; passed <= run.soakHours; passed += 1) {
    const outage = passed === run.soakHours ? (run.outage ?? 0) : 0;
    const usual = 1 - (1 - run.background) * (1 - outage);
    addStarts(tallies, random, { side: 'members', nodeHours: 1, share: 1 - (1 - usual) * (1 - run.broken), run });
    addStarts(tallies, random, { side: 'peers', nodeHours: run.peers, share: usual, run });
    const isFinal = passed === run.soakHours;
    const comparison = compareWithPeers({
      variant,
      signal: 'containerStarts',
      counters: countersOf(tallies),
      last,
      count,
      isFinal,
    });
    if (comparison?.isWorse === true) return { halted: true, insufficient: false };
    last = comparison?.look ?? last;
  }
  const starts = sumOf(tallies, 'members');
  const needed = sufficientStarts(
    sumOf(tallies, 'peers') + sumOf(tallies, 'peersBefore'),
    allowedErrorOfLook(8, count),
  );
  return { halted: false, insufficient: needed === undefined || starts < needed };
}

type Addition = {
  readonly side: OwnerCounters['side'];
  readonly nodeHours: number;
  readonly share: number;
  readonly run: EvidenceRun;
};

/** Starts are spread over the owners; each fails by itself. Long histories without failures need no dice. */
function addStarts(tallies: Map<string, Tally>, random: Random, { side, nodeHours, share, run }: Addition): void {
  const starts = Math.round(nodeHours * run.startsPerHour);
  for (const [index, owner] of owners.entries()) {
    const own = Math.floor(starts / owners.length) + (index < starts % owners.length ? 1 : 0);
    const tally = tallies.get(`${side} ${owner}`) ?? { starts: 0, failedStarts: 0 };
    let failed = 0;
    if (share > 0) for (let start = 0; start < own; start += 1) if (random.next() < share) failed += 1;
    tallies.set(`${side} ${owner}`, { starts: tally.starts + own, failedStarts: tally.failedStarts + failed });
  }
}

const countersOf = (tallies: ReadonlyMap<string, Tally>): readonly OwnerCounters[] =>
  (['members', 'peers', 'peersBefore'] as const).flatMap((side) =>
    owners.map((owner) => {
      const { starts, failedStarts } = tallies.get(`${side} ${owner}`) ?? { starts: 0, failedStarts: 0 };
      return {
        variant,
        side,
        owner,
        starts,
        failedStarts,
        podSeconds: 0,
        restartedPods: 0,
        duePods: 0,
        unreadyPods: 0,
      };
    }),
  );

const sumOf = (tallies: ReadonlyMap<string, Tally>, side: OwnerCounters['side']): number =>
  owners.reduce((sum, owner) => sum + (tallies.get(`${side} ${owner}`)?.starts ?? 0), 0);
