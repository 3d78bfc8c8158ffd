import type { KubernetesObject } from '@nodewright/apis';
import type { LintFinding } from '@nodewright/lint';

/** By the uid of an object: its generation, and the findings that were reported for it. */
export type ToldFindings = ReadonlyMap<string, { readonly generation: number; readonly told: ReadonlySet<string> }>;

export type ManifestLintPlan = { readonly toTell: readonly LintFinding[]; readonly told: ToldFindings };

/**
 * Each finding is reported once for a generation of its object. Notes are not reported: nothing has to be done about them.
 */
export function planManifestLint(findings: readonly LintFinding[], before: ToldFindings): ManifestLintPlan {
  const told = new Map<string, { readonly generation: number; readonly told: Set<string> }>();
  const toTell: LintFinding[] = [];
  for (const finding of findings) {
    if (finding.severity === 'note') continue;
    const { generation = 0 } = finding.object.metadata;
    const uid = uidOfFinding(finding.object);
    const entry = told.get(uid) ?? { generation, told: new Set() };
    told.set(uid, entry);
    const key = `${finding.rule} ${finding.path.join('.')}`;
    const known = before.get(uid);
    if (!entry.told.has(key) && !(known?.generation === generation && known.told.has(key))) toTell.push(finding);
    entry.told.add(key);
  }
  return { toTell, told };
}

const uidOfFinding = ({ kind = '', metadata: { uid, namespace = '', name } }: KubernetesObject): string =>
  uid ?? `${kind} ${namespace}/${name}`;
