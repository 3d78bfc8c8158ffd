import {
  type ControllerRevision,
  controllerRevisions,
  persistentVolumeClaims,
  type Pod,
  pods,
  type PodTemplateSpec,
  type StatefulSet,
  statefulSets,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { isActive, nextAvailable } from '../../objects/pod-health.ts';
import { forgetRevisions, presentRevision, revisionLabel, templateOfRevision } from '../revisions/revisions.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { memberClaims, memberPod, ordinalOf, ordinalOfClaim, ordinalsOf } from './members.ts';
import { nextSteps, type Revisions, type StatefulSetStep } from './plan.ts';
import { statefulSetStatus } from './status.ts';

type KnownRevisions = { readonly revisions: Revisions; readonly history: readonly ControllerRevision[] };

/** Keeps the pods and claims of StatefulSets, in order and by name. */
export function runStatefulSets(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const sets = watches.of(statefulSets);
  const claims = watches.of(persistentVolumeClaims);
  const history = watches.of(controllerRevisions);
  const podControl = new PodControl(
    control,
    statefulSets,
    (deed, name, { metadata }) => `${deed} Pod ${name} in StatefulSet ${metadata.name} successful`,
  );

  const reconcile = async (key: string): Promise<Recheck> => {
    const set = sets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const owned = watches.of(pods).by(byController, set.metadata.uid ?? '');
    const known = await revisionsOf(set);
    const held = podControl.heldUntil(key);
    if (held === undefined) {
      for (const step of nextSteps(set, owned, known.revisions, clock.now())) await perform(set, step, known);
      await dropClaims(set, owned);
    }
    await report(set, owned, known);
    return held ?? nextAvailable(owned.filter(isActive), set.spec.minReadySeconds ?? 0, clock.now());
  };

  const revisionsOf = async (set: StatefulSet): Promise<KnownRevisions> => {
    const known = history.by(byController, set.metadata.uid ?? '');
    const present = await presentRevision(client, statefulSets, set, known);
    const before = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? present;
    return {
      revisions: { current: before.metadata.name, update: present.metadata.name },
      history: [...known.filter(({ metadata }) => metadata.name !== present.metadata.name), present],
    };
  };

  const perform = async (set: StatefulSet, step: StatefulSetStep, known: KnownRevisions): Promise<void> => {
    if (step.kind === 'delete') return podControl.delete(set, step.pod);
    await makeClaims(set, step.ordinal);
    const pod = memberPod(set, step.ordinal, templateFor(set, step.revision, known), step.revision);
    await unlessRefusedAs('AlreadyExists', podControl.create(set, pod));
  };

  const makeClaims = async (set: StatefulSet, ordinal: number): Promise<void> => {
    for (const claim of memberClaims(set, ordinal)) {
      if (claims.get(objectKeyText(claim)) !== undefined) continue;
      const made = await unlessRefusedAs('AlreadyExists', client.create(persistentVolumeClaims, claim));
      if (made === undefined) continue;
      const message = `create Claim ${claim.metadata.name} Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name} success`;
      podControl.events.publish({
        kind: statefulSets,
        about: set,
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message,
      });
    }
  };

  /** With the policy `whenScaled: Delete` the claims of numbers that the set does not have go, after their pods. */
  const dropClaims = async (set: StatefulSet, owned: readonly Pod[]): Promise<void> => {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return;
    const taken = new Set([...ordinalsOf(set), ...owned.map((pod) => ordinalOf(set, pod))]);
    for (const claim of claims.all()) {
      const ordinal = ordinalOfClaim(set, claim);
      if (ordinal === undefined || taken.has(ordinal)) continue;
      await unlessGone(client.delete(persistentVolumeClaims, keyOfMeta(claim.metadata)));
    }
  };

  const report = async (set: StatefulSet, owned: readonly Pod[], known: KnownRevisions): Promise<void> => {
    const status = statefulSetStatus(set, owned, known.revisions, clock.now());
    const used = new Set([
      status.currentRevision,
      status.updateRevision,
      ...owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? ''),
    ]);
    await forgetRevisions(client, set, known.history, used);
    if (!differsFromPatch(set.status, status)) return;
    const key = keyOfMeta(set.metadata);
    await unlessGone(client.patch(statefulSets, key, { type: 'merge', patch: { status } }, { subresource: 'status' }));
  };

  const keys = control.controller('stateful sets', reconcile, countingGapMs);
  sets.onChange((before, after) => keys.add(objectKeyText((after ?? before) as StatefulSet)));
  watches.of(pods).onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Pod, 'StatefulSet');
    if (owner !== undefined) keys.add(owner);
  });
}

function templateFor(set: StatefulSet, revision: string, { history }: KnownRevisions): PodTemplateSpec {
  const template =
    templateOfRevision(history.find(({ metadata }) => metadata.name === revision)?.data) ?? set.spec.template;
  return template ?? { spec: { containers: [] } };
}
