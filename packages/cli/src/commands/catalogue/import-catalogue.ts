import { readFileSync } from 'node:fs';
import {
  CatalogueSourceError,
  type NamedDocument,
  type RenewedCatalogue,
  renewCatalogue,
} from '@nodewright/aws-endpoints';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';
import type { CatalogueImportFlags } from './flags.ts';

/** @throws InputError for files that are something else */
export function importCatalogue(this: CliContext, flags: CatalogueImportFlags): void {
  const { types = [], offerings = [], prices = [], region, write } = flags;
  if (types.length === 0 && prices.length === 0) throw new InputError('name files with --types or --prices');
  const renewed = renewFrom({
    types: types.map(readCatalogueFile),
    offerings: offerings.map(readCatalogueFile),
    prices: prices.map(readCatalogueFile),
    region,
  });
  if (write === undefined) this.process.stdout.write(renewed.module);
  else writeAnswerFile('--write', write, renewed.module);
  this.process.stderr.write(describeRenewal(renewed));
}

function renewFrom(sources: Parameters<typeof renewCatalogue>[0]): RenewedCatalogue {
  try {
    return renewCatalogue(sources);
  } catch (error) {
    throw error instanceof CatalogueSourceError ? new InputError(error.message, { cause: error }) : error;
  }
}

function readCatalogueFile(file: string): NamedDocument {
  try {
    return { file, document: JSON.parse(readFileSync(file, 'utf8')) as unknown };
  } catch (error) {
    throw new InputError(`${file}: ${explainFileFailure(error)}`, { cause: error });
  }
}

const describeRenewal = ({ count, added, changed, kept, leftOut }: RenewedCatalogue): string =>
  [
    `${count} types: ${added.length} are new, ${changed.length} have changed, ${kept.length} are not in the files and stay`,
    ...(added.length > 0 ? [`new: ${added.join(', ')}`] : []),
    ...leftOut.map((line) => `left out: ${line}`),
    '',
  ].join('\n');
