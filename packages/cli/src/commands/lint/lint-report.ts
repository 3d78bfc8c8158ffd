import { byTextOf, inOrder, byNumberOf } from '@nodewright/apis';
import type { LintFinding, LintSeverity } from '@nodewright/lint';
import { lintRules, printManifestPath } from '@nodewright/lint';
import { readIgnoreRemarks, silencesFinding, type IgnoreRemark } from './ignored-findings.ts';
import type { LocatedManifest, TextPlace } from './located-manifests.ts';

/** A finding as it is told. */
export type ReportedFinding = {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly field: string;
  readonly value?: unknown;
  readonly why: string;
  readonly instead: string;
};

export type LintReport = {
  readonly kind: 'LintReport';
  readonly findings: readonly ReportedFinding[];
  /** What remarks in the files silence, with their reasons. */
  readonly ignored: readonly (ReportedFinding & { readonly reason: string })[];
  readonly objects: number;
};

/** What is told of findings, in the order of the files, and of the remarks that silence some. */
export function reportFindings(manifests: readonly LocatedManifest[], findings: readonly LintFinding[]): LintReport {
  const remarks = [...new Map(manifests.map((each) => [each.source, each.lines]))].flatMap(([source, lines]) =>
    readIgnoreRemarks(source, lines),
  );
  const used = new Set<IgnoreRemark>();
  const told: ReportedFinding[] = [];
  const ignored: (ReportedFinding & { readonly reason: string })[] = [];
  for (const finding of findings) {
    const manifest = manifests.find(({ object }) => object === finding.object);
    if (manifest === undefined) continue;
    const remark = remarks.find((each) => each.reason !== '' && silencesFinding(each, finding, manifest));
    const reported = reportedFinding(finding, manifest);
    if (remark === undefined) told.push(reported);
    else ignored.push({ ...reported, reason: remark.reason });
    if (remark !== undefined) used.add(remark);
  }
  const complaints = remarks.filter((remark) => !used.has(remark)).map(remarkFinding);
  return {
    kind: 'LintReport',
    findings: [...told, ...complaints].toSorted(byPlace),
    ignored,
    objects: manifests.length,
  };
}

function reportedFinding({ object, path, ...finding }: LintFinding, manifest: LocatedManifest): ReportedFinding {
  const { line, column } = manifest.placesOf(path).at(-1) as TextPlace;
  const { kind = '', metadata } = object;
  const { namespace } = metadata;
  return {
    rule: finding.rule,
    severity: finding.severity,
    source: manifest.source,
    line,
    column,
    object: { kind, ...(namespace === undefined ? {} : { namespace }), name: metadata.name },
    field: printManifestPath(path),
    ...(finding.value === undefined ? {} : { value: finding.value }),
    why: finding.why,
    instead: finding.instead,
  };
}

function remarkFinding({ source, line, rule, reason }: IgnoreRemark): ReportedFinding {
  const isKnown = lintRules.some(({ name }) => name === rule);
  return {
    rule: 'ignore-remark',
    severity: isKnown && reason !== '' ? 'note' : 'error',
    source,
    line,
    column: 1,
    object: { kind: 'Remark', name: 'nodewright:ignore' },
    field: '',
    value: rule,
    why: !isKnown
      ? `there is no rule ${rule === '' ? 'without a name' : `"${rule}"`}`
      : reason === ''
        ? 'it gives no reason, so it silences nothing'
        : 'it silences nothing: the rule finds nothing here',
    instead: !isKnown
      ? 'name a rule that nodewright lint --rules lists'
      : reason === ''
        ? `write # nodewright:ignore ${rule} and why`
        : 'remove it',
  };
}

const byPlace = inOrder<ReportedFinding>(
  byTextOf(({ source }) => source),
  inOrder(
    byNumberOf(({ line }) => line),
    byNumberOf(({ column }) => column),
  ),
);
