import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { FieldComplaint } from './shape-complaints.ts';

/** A manifest as it was meant, and what was read into it. */
export type MeantManifest = {
  readonly manifest: KubernetesObject;
  readonly remarks: readonly string[];
  /** For those who do not guess what is meant. */
  readonly complaint?: FieldComplaint;
};

type AgedNodeTemplate = { readonly spec?: { readonly amiSelector?: Readonly<Record<string, unknown>> } };

/**
 * The design of image versioning writes `minimumAgeDuration: 10d  // metav1.Duration`, which to YAML is one text.
 * What follows the slashes is taken for the remark it was meant as. The same object where there is none.
 */
export function withoutRemarkInAge(manifest: KubernetesObject): MeantManifest {
  const { amiSelector } = (manifest as AgedNodeTemplate).spec ?? {};
  const written = amiSelector?.['minimumAgeDuration'];
  if (manifest.kind !== 'AWSNodeTemplate' || typeof written !== 'string') return { manifest, remarks: [] };
  const [, age, remark] = /^(\S+)\s*\/\/\s*(.*)$/.exec(written) ?? [];
  if (age === undefined) return { manifest, remarks: [] };
  const { spec } = manifest as AgedNodeTemplate;
  const meant = { ...manifest, spec: { ...spec, amiSelector: { ...amiSelector, minimumAgeDuration: age } } };
  const told = `spec.amiSelector.minimumAgeDuration "${written}" is read as ${age}: // begins no comment in YAML, # does; lost a remark, # ${remark}`;
  const complaint = {
    field: 'spec.amiSelector.minimumAgeDuration',
    value: written,
    remedy: `must be an age such as 10d; // begins no comment in YAML, # does: write ${age} # ${remark}`,
  };
  return { manifest: meant, remarks: [told], complaint };
}
