import { type LintFinding, printManifestPath } from '@nodewright/lint';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { lintedTypes } from './observe.ts';

/** A Warning on the object: the rule, the field, why it is found, and what to write. */
export function reportLintFinding({ object, rule, path, why, instead }: LintFinding): readonly ReportEntry[] {
  const kind = lintedTypes.find((type) => type.kind === object.kind);
  if (kind === undefined) return [];
  const { uid = '', generation = 0 } = object.metadata;
  const field = path.length === 0 ? '' : `${printManifestPath(path)}: `;
  return [
    eventEntry({
      kind,
      about: object,
      type: 'Warning',
      reason: 'ManifestWarning',
      message: `${field}${why}; ${instead} [${rule}]`,
      dedupe: [uid, String(generation), rule, path.join('.')],
    }),
  ];
}
