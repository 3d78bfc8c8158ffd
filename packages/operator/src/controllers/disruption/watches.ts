import type { Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import { isNewsOfClaim, isNewsOfPool } from '../../state/claim-news.ts';
import { NotableChanges } from '../../state/notable-changes.ts';
import { disruptionLoop, type DisruptionLoopDeps } from './loop.ts';
import { DisruptionMemory } from './memory.ts';
import { SettledPass } from './settled-pass.ts';

type DisruptionSources = Omit<
  DisruptionLoopDeps,
  'clock' | 'random' | 'publish' | 'instanceTypes' | 'memory' | 'changes' | 'settledPass'
>;

/** Replacements come in swarms: changes of several claims at about the same time lead to one pass. */
const betweenPassesMs = 200;

/**
 * `disruption` wakes for a claim whose progress matters to it, for a NodePool with another spec or readiness, and every
 * ten seconds while a search may find something. What is worth another search is counted in `NotableChanges`.
 */
export function startDisruption(host: ControllerHost, sources: DisruptionSources): Loop {
  const { objects, overlays, state } = sources;
  const { random } = host;
  const memory = new DisruptionMemory();
  const watched = { objects, clock: host.clock, answers: host.cloud.changes };
  const changes = new NotableChanges(watched);
  const settledPass = new SettledPass(watched);
  overlays.onChange(() => changes.note());
  state.onReserved(() => changes.note());
  const disruption = startNamedLoop(
    host,
    'disruption',
    (turn) => disruptionLoop({ ...turn, ...sources, random, memory, changes, settledPass }),
    { gapMs: betweenPassesMs },
  );
  objects.nodeClaims.cache.onChange(({ before, after }) => {
    if (isNewsOfClaim(before, after)) disruption.trigger();
  });
  objects.nodePools.cache.onChange(({ before, after }) => {
    if (isNewsOfPool(before, after)) disruption.trigger();
  });
  changes.onChange(() => disruption.stir());
  settledPass.onBreak(() => disruption.stir());
  objects.nodes.cache.onChange(() => disruption.stir());
  objects.nodeClaims.cache.onChange(() => disruption.stir());
  return disruption;
}
