import { familyOfAlias, findKnownIssues } from '@nodewright/engine';
import { readFamilyImages } from '@nodewright/operator';
import type { Cloud, ManagedGroup } from '@nodewright/ports';
import { imageRules, type Instant } from '@nodewright/apis';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readMinorNumber } from '../versions/minors.ts';
import type { PreflightFinding } from './preflight-finding.ts';

export type GroupCheckSources = {
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'managedGroups' | 'controlPlane'>;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly to: string;
};

/** Whether every managed node group is within the skew that EKS asks for, and has an image to go to. */
export async function checkManagedGroups(
  sources: GroupCheckSources,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  const findings: PreflightFinding[] = [];
  for (const name of sources.snapshot.aws.nodeGroups) {
    const group = await sources.cloud.managedGroups.describe(name, signal);
    if (group !== undefined) findings.push(await checkGroup(group, sources, signal));
  }
  return findings;
}

async function checkGroup(
  group: ManagedGroup,
  { cloud, snapshot, now, to }: GroupCheckSources,
  signal: AbortSignal,
): Promise<PreflightFinding> {
  const about = `managed node group ${group.name}`;
  const behind = (readMinorNumber(snapshot.kubernetesVersion) ?? 0) - (readMinorNumber(group.kubernetesVersion) ?? 0);
  if (behind > 0) {
    const says = `runs ${group.kubernetesVersion}; EKS does not upgrade a control plane that is ahead of its groups`;
    return {
      check: 'nodeGroup',
      about,
      verdict: 'blocked',
      says,
      instead: `update the group to ${snapshot.kubernetesVersion} first`,
    };
  }
  if (group.issues.length > 0) {
    const says = `is not well: ${group.issues.map(({ code, message }) => `${code} (${message})`).join(', ')}`;
    return { check: 'nodeGroup', about, verdict: 'blocked', says, instead: 'put this right before the upgrade' };
  }
  const kind = group.imageKind;
  if (kind === undefined) {
    const says = `launches ${group.release}, which its launch template names, whatever the control plane runs`;
    return {
      check: 'nodeGroup',
      about,
      verdict: 'attention',
      says,
      instead: `make a version of the template with an image of ${to}`,
    };
  }
  const rules = snapshotObjects(snapshot.kubernetes, imageRules);
  const alias = kind.family.toLowerCase();
  const amiFamily = familyOfAlias(`${alias}@latest`);
  const { images, decision } = await readFamilyImages(alias, { cloud, now, rules, kubernetesVersion: to }, signal);
  const chosen = images.find(
    ({ id, arch, variant = 'standard', version }) =>
      arch === kind.arch &&
      variant === kind.variant &&
      decision.selected.some((image) => image.id === id) &&
      (version === undefined ||
        amiFamily === undefined ||
        findKnownIssues({ family: amiFamily, version }, to).length === 0),
  );
  const line = `${kind.family} ${kind.variant} for ${kind.arch}`;
  if (chosen !== undefined)
    return { check: 'nodeGroup', about, verdict: 'ok', says: `goes to ${chosen.version ?? chosen.name} (${line})` };
  const instead = 'make a group of AL2023 or Bottlerocket, and move the pods there';
  return {
    check: 'nodeGroup',
    about,
    verdict: 'blocked',
    says: `finds no release of ${line} for ${to} that can be recommended`,
    instead,
  };
}
