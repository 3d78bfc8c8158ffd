import type { LintFinding } from '@nodewright/lint';
import type { LocatedManifest } from './located-manifests.ts';

/** A remark that silences a rule: `# nodewright:ignore RULE reason`. */
export type IgnoreRemark = {
  readonly source: string;
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
  /** The line that it is about: its own, or the next that is more than a remark. */
  readonly target: number;
};

const remarkForm = /#\s*nodewright:ignore(?:\s+(?<rule>[^\s#]+))?(?:\s+(?<reason>\S.*))?$/;

export function readIgnoreRemarks(source: string, lines: readonly string[]): readonly IgnoreRemark[] {
  return lines.flatMap((line, index) => {
    const match = remarkForm.exec(line);
    if (match === null) return [];
    const { rule = '', reason = '' } = match.groups ?? {};
    return [{ source, line: index + 1, rule, reason: reason.trim(), target: targetOf(lines, index) }];
  });
}

function targetOf(lines: readonly string[], index: number): number {
  if (!isRemark(lines[index] ?? '')) return index + 1;
  const next = lines.findIndex((line, at) => at > index && !isRemark(line));
  return next < 0 ? index + 1 : next + 1;
}

const isRemark = (line: string): boolean => /^\s*(#.*|---\s*)?$/.test(line);

/** Whether a remark is about a finding: it names the rule, and stands at its field, or at something that holds the field. */
export const silencesFinding = (remark: IgnoreRemark, finding: LintFinding, manifest: LocatedManifest): boolean =>
  remark.source === manifest.source &&
  remark.rule === finding.rule &&
  manifest.placesOf(finding.path).some(({ line }) => line === remark.target);
