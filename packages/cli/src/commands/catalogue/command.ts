import { buildCommand, buildRouteMap } from '@stricli/core';
import { parsePlainText, parseRegion } from '../../terminal/parsers.ts';
import type { CatalogueImportFlags } from './flags.ts';

const sourceFiles = {
  kind: 'parsed',
  parse: parsePlainText,
  optional: true,
  variadic: true,
  placeholder: 'FILE',
} as const;

const importCommand = buildCommand<CatalogueImportFlags>({
  docs: {
    brief: 'Write the catalogue of instance types anew, from outputs of the aws command',
    fullDescription:
      'Reads what `aws ec2 describe-instance-types`, `aws ec2 describe-instance-type-offerings` and `aws pricing get-products` wrote, and writes current-types.generated.ts of a checkout. Types that the files do not have stay as they are.',
  },
  parameters: {
    flags: {
      types: { ...sourceFiles, brief: 'Outputs of aws ec2 describe-instance-types' },
      offerings: {
        ...sourceFiles,
        brief: 'Outputs of aws ec2 describe-instance-type-offerings [all types are on offer]',
      },
      prices: {
        ...sourceFiles,
        brief: 'Outputs of aws pricing get-products, or a downloaded price list [prices stay]',
      },
      region: { kind: 'parsed', parse: parseRegion, default: 'us-east-1', brief: 'Whose prices count' },
      write: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FILE',
        brief: 'The file to write [standard output]',
      },
    },
  },
  loader: async () => (await import('./import-catalogue.ts')).importCatalogue,
});

/** `nodewright catalogue`. */
export const catalogueCommand = buildRouteMap({
  routes: { import: importCommand },
  docs: { brief: 'The catalogue of instance types that the sandbox sells' },
});
