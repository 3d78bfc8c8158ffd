import { structuralHash } from '../drift/structural-hash.ts';
import type { MoveBlocker } from './gates/gate.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** Whether many nodes drift though nothing has changed that would make them, and what is remembered of it. */
export type DriftExpectation = { readonly blocker?: MoveBlocker; readonly steadyState?: string };

/** The value of the request that lets unexpected drift pass. */
export const unexpectedDriftApproval = 'unexpected-drift';

/**
 * More nodes than the policy lets drift have drifted while specs, images and version are those of the time when few had:
 * something else has changed, such as a version of the controller. They are held until a person approves.
 */
export function judgeUnexpectedDrift(seen: RolloutSnapshot, settings: RolloutSettings): DriftExpectation {
  const before = seen.policy.status?.steadyState;
  if (seen.isDriftKnown === false)
    return {
      ...(before === undefined ? {} : { steadyState: before }),
      blocker: { gate: 'unexpectedDrift', message: 'not every node was held against the present specs yet' },
    };
  const nodes = seen.nodes.filter(({ leaving }) => !leaving);
  const drifting = nodes.filter(({ otherDrift }) => otherDrift !== undefined).length;
  const state = stateOf(seen);
  if (drifting * 100 <= settings.unexpectedDriftPercent * nodes.length) return { steadyState: state };
  const isApproved = seen.requests.some(({ kind, value }) => kind === 'approve' && value === unexpectedDriftApproval);
  if (before === undefined || before !== state || isApproved) return {};
  const message = `${drifting} of ${nodes.length} nodes drift though no spec, image or version has changed; protect.unexpectedDrift is ${settings.unexpectedDriftPercent}%; annotate the policy with nodewright.dev/approve=${unexpectedDriftApproval} to let them go`;
  return { steadyState: before, blocker: { gate: 'unexpectedDrift', message } };
}

const stateOf = ({ objects, wanted, kubernetesVersion }: RolloutSnapshot): string =>
  structuralHash({
    specs: objects.map(({ id, specHash }) => `${id} ${specHash}`),
    images: wanted.map(({ source, variant, image }) => `${source} ${variant} ${image}`),
    kubernetesVersion,
  });
