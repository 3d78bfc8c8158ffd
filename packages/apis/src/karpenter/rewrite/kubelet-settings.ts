import type { EC2NodeClass } from '../types.ts';
import type { PoolKubelet, RefusedManifest, Rewritten } from './rewritten.ts';

type RewriteOutcome = Rewritten | RefusedManifest;

/**
 * Puts the kubelet settings of pools into the EC2NodeClasses they name. Where the class is not among the
 * manifests, or pools of one class disagree, the pool gets a remark instead.
 */
export function withKubeletSettings(outcomes: readonly RewriteOutcome[]): readonly RewriteOutcome[] {
  const wishes = outcomes.flatMap((outcome) => ('kubelet' in outcome ? [outcome.kubelet] : []));
  const classes = new Set(outcomes.map(nodeClassName));
  const settled = new Map(
    [...classes].flatMap((name) => {
      const settings = agreedOn(wishes.filter(({ nodeClass }) => nodeClass === name));
      return settings === undefined ? [] : [[name, settings] as const];
    }),
  );
  return outcomes.map((outcome) => {
    if ('complaints' in outcome) return outcome;
    const name = nodeClassName(outcome);
    if (name !== undefined) return withSettings(outcome, settled.get(name));
    return outcome.kubelet === undefined || settled.has(outcome.kubelet.nodeClass)
      ? outcome
      : { ...outcome, remarks: [...outcome.remarks, leftOut(outcome.kubelet, classes)] };
  });
}

const nodeClassName = (outcome: RewriteOutcome): string | undefined =>
  'object' in outcome && outcome.object.kind === 'EC2NodeClass' ? outcome.object.metadata.name : undefined;

function agreedOn([first, ...others]: readonly PoolKubelet[]): PoolKubelet['settings'] | undefined {
  const agrees = others.every(({ settings }) => JSON.stringify(settings) === JSON.stringify(first?.settings));
  return agrees ? first?.settings : undefined;
}

function withSettings(outcome: Rewritten, settings: PoolKubelet['settings'] | undefined): Rewritten {
  if (settings === undefined) return outcome;
  const nodeClass = outcome.object as EC2NodeClass;
  const object: EC2NodeClass = { ...nodeClass, spec: { ...nodeClass.spec, kubelet: settings } };
  return {
    ...outcome,
    object,
    remarks: [...outcome.remarks, 'spec.kubelet comes from the pool, where v1 has no place for it'],
  };
}

const leftOut = ({ nodeClass, settings }: PoolKubelet, classes: ReadonlySet<string | undefined>): string => {
  const why = classes.has(nodeClass)
    ? 'whose other pools have other kubelet settings'
    : 'which is not among the manifests';
  return `kubelet settings are left out: in v1 they belong to spec.kubelet of EC2NodeClass ${nodeClass}, ${why}; they were ${JSON.stringify(settings)}`;
};
