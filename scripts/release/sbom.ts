import type { BundledPackage } from './bundled-packages.ts';

/** The release that a bill of materials is about. */
export type Release = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly createdAt: Date;
};

/** Scopes are written with `%40` in package URLs, as their specification says. */
const packageUrl = (name: string, version: string): string =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;

/** A licence by its SPDX id, or an expression of several. */
const licenseOf = (license: string): unknown =>
  /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };

/** The digest as CycloneDX writes it: an algorithm and hexadecimal digits. */
function hashesOf(integrity: string): readonly unknown[] {
  const [algorithm = '', digest = ''] = integrity.split('-');
  if (algorithm !== 'sha512') return [];
  return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
}

const referenceOf = ({ folder, name, version }: BundledPackage): string =>
  folder === `node_modules/${name}` ? packageUrl(name, version) : `${packageUrl(name, version)}#${folder}`;

const componentOf = (bundled: BundledPackage): unknown => ({
  type: 'library',
  'bom-ref': referenceOf(bundled),
  name: bundled.name,
  version: bundled.version,
  hashes: hashesOf(bundled.integrity),
  ...(bundled.license === '' ? {} : { licenses: [licenseOf(bundled.license)] }),
  purl: packageUrl(bundled.name, bundled.version),
});

/** Node.js as a component, where it is delivered too. */
export const nodeComponent = (version: string): unknown => ({
  type: 'platform',
  'bom-ref': `pkg:generic/node@${version}`,
  name: 'node',
  version,
  licenses: [{ license: { id: 'MIT' } }],
  purl: `pkg:generic/node@${version}`,
});

/**
 * The bill of materials of a release in the form of CycloneDX 1.6: the packages whose code is in the bundle and which of them needs which.
 * @param more components beside the packages of the bundle
 */
export function buildSbom(
  release: Release,
  packages: readonly BundledPackage[],
  more: readonly unknown[] = [],
): unknown {
  const references = new Map(packages.map((bundled) => [bundled.folder, referenceOf(bundled)]));
  const own = packageUrl('nodewright', release.version);
  const direct = packages.filter(({ isDirect }) => isDirect);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: release.createdAt.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'nodewright',
        version: release.version,
        description: release.description,
        licenses: [licenseOf(release.license)],
        purl: own,
      },
    },
    components: [...packages.map(componentOf), ...more],
    dependencies: [
      { ref: own, dependsOn: direct.map(referenceOf) },
      ...packages.map((bundled) => ({
        ref: referenceOf(bundled),
        dependsOn: bundled.needs.flatMap((folder) => references.get(folder) ?? []),
      })),
    ],
  };
}
