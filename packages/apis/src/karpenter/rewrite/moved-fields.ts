/** Where fields of v1 stood before: dotted present path to former ones, the likeliest first. Comments of a manifest are carried along by it. */
export type MovedFields = ReadonlyMap<string, readonly string[]>;

const noMovedFields: MovedFields = new Map();

const byKind: ReadonlyMap<string, MovedFields> = new Map([
  [
    'NodePool',
    new Map([
      ['spec.template.spec.expireAfter', ['spec.disruption.expireAfter']],
      ['spec.template.spec.nodeClassRef.group', ['spec.template.spec.nodeClassRef.apiVersion']],
    ]),
  ],
  ['NodeClaim', new Map([['spec.nodeClassRef.group', ['spec.nodeClassRef.apiVersion']]])],
  ['EC2NodeClass', new Map([['spec.amiSelectorTerms[0].alias', ['spec.amiFamily']]])],
  [
    'AWSNodeTemplate',
    new Map([
      ['spec.amiSelectorTerms', ['spec.amiSelector', 'spec.amiFamily']],
      ['spec.amiSelectorTerms[0].alias', ['spec.amiFamily']],
      ['spec.amiSelectorTerms[0].tags', ['spec.amiSelector']],
      ['spec.amiSelectorTerms[0].minimumAgeDuration', ['spec.amiSelector.minimumAgeDuration']],
      ['spec.subnetSelectorTerms', ['spec.subnetSelector']],
      ['spec.subnetSelectorTerms[0].tags', ['spec.subnetSelector']],
      ['spec.securityGroupSelectorTerms', ['spec.securityGroupSelector']],
      ['spec.securityGroupSelectorTerms[0].tags', ['spec.securityGroupSelector']],
    ]),
  ],
  [
    'Provisioner',
    new Map([
      ['spec.template.metadata.labels', ['spec.labels']],
      ['spec.template.metadata.annotations', ['spec.annotations']],
      ['spec.template.spec.requirements', ['spec.requirements']],
      ['spec.template.spec.taints', ['spec.taints']],
      ['spec.template.spec.startupTaints', ['spec.startupTaints']],
      ['spec.template.spec.nodeClassRef', ['spec.providerRef']],
      ['spec.template.spec.expireAfter', ['spec.ttlSecondsUntilExpired']],
      ['spec.limits', ['spec.limits.resources']],
      ['spec.disruption', ['spec.consolidation']],
      ['spec.disruption.consolidationPolicy', ['spec.consolidation.enabled']],
      ['spec.disruption.consolidateAfter', ['spec.ttlSecondsAfterEmpty']],
    ]),
  ],
]);

/** The fields of a kind that stand elsewhere in v1: present path to former path. */
export const movedFields = (formerKind: string): MovedFields => byKind.get(formerKind) ?? noMovedFields;
