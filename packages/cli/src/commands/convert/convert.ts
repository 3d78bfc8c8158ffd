import { type FieldComplaint, movedFields, type RefusedManifest, type Rewritten, rewriteToV1 } from '@nodewright/apis';
import { ManifestError } from '@nodewright/runtime';
import { customResourceRefusals } from '@nodewright/kube-api';
import type { CliContext } from '../../terminal/context.ts';
import { type ManifestDocument, manifestDocuments } from './manifest-documents.ts';
import { manifestTexts } from './manifest-texts.ts';
import { rewrittenDocument } from './rewritten-document.ts';
import { InputError } from '../../terminal/exit-status.ts';
import type { ConvertFlags } from './flags.ts';

export function convertManifests(this: CliContext, { filename, kubernetesVersion, clusterName }: ConvertFlags): void {
  if (filename.length === 0) throw new InputError('nothing to convert: give -f FILE, -f DIR or -f -');
  const documents = readDocuments(filename);
  const outcomes = rewriteToV1(
    documents.map(({ object }) => object),
    {
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(clusterName === undefined ? {} : { clusterName }),
    },
  );
  const pairs = documents.flatMap((written, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [{ written, outcome }];
  });
  const problems = pairs.flatMap(({ written, outcome }) => problemsOfDocument(written, outcome));
  if (problems.length > 0) throw new InputError(problems.join('\n'));
  const results = pairs.flatMap(({ written, outcome }) =>
    'object' in outcome ? [conversionResult(written, outcome)] : [],
  );
  for (const remark of results.flatMap(({ remarks }) => remarks)) this.process.stderr.write(`${remark}\n`);
  this.process.stdout.write(results.map(({ text }) => `---\n${text}`).join(''));
}

function readDocuments(paths: readonly string[]): readonly ManifestDocument[] {
  try {
    return paths.flatMap(manifestTexts).flatMap(manifestDocuments);
  } catch (error) {
    throw error instanceof ManifestError ? new InputError(error.message, { cause: error }) : error;
  }
}

function problemsOfDocument({ place }: ManifestDocument, outcome: Rewritten | RefusedManifest): readonly string[] {
  if ('complaints' in outcome) return outcome.complaints.map((complaint) => `${place}: ${printComplaint(complaint)}`);
  if (outcome.isIncomplete === true) return []; // its remarks name what is to be filled in
  const refusals = customResourceRefusals(outcome.object);
  return refusals.map((refusal) => `${place}: an API server would refuse it as v1: ${refusal}`);
}

const printComplaint = ({ field, value, remedy }: FieldComplaint): string =>
  value === undefined ? `${field} ${remedy}` : `${field}: ${JSON.stringify(value)} ${remedy}`;

function conversionResult(
  { place, object: before, document, layout }: ManifestDocument,
  { object, remarks }: Rewritten,
): { readonly text: string; readonly remarks: readonly string[] } {
  if (object === before) return { text: document.toString(layout), remarks: [] };
  const rewritten = rewrittenDocument(document, object, movedFields(before.kind ?? ''));
  const lost = rewritten.lostRemarks.map((remark) => `lost a remark with its field, ${remark}`);
  return {
    text: rewritten.document.toString(layout),
    remarks: [...remarks, ...lost].map((remark) => `${place}: ${remark}`),
  };
}
