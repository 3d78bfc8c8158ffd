import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

// The causes are those of a kube-apiserver 1.36.3.

const registration = '/apis/admissionregistration.k8s.io/v1';

async function causesFor(plural: string, object: object): Promise<readonly string[]> {
  const { send } = anApiServer({ version: '1.36' });
  const { status, body } = await send('POST', `${registration}/${plural}`, { metadata: { name: 'w' }, ...object });
  if (status === 201) return [];
  const { causes } = body['details'] as { readonly causes: readonly { readonly field: string; message: string }[] };
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

test('webhooks are held to the rules for them', async () => {
  const webhook = {
    name: 'a.b',
    clientConfig: { url: 'http://x/y?q=1' },
    rules: [{ apiGroups: ['*', 'a'], apiVersions: [], operations: ['GET'], resources: ['pods/*', 'pods/log', '*/*'] }],
    sideEffects: 'Some',
    timeoutSeconds: 31,
    admissionReviewVersions: ['v9'],
    namespaceSelector: { matchExpressions: [{ key: 'a', operator: '' }] },
  };
  expect(await causesFor('validatingwebhookconfigurations', { webhooks: [webhook] })).toEqual([
    'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    'webhooks[0].rules[0].operations[0]: Unsupported value: "GET": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    'webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
    'webhooks[0].rules[0].apiVersions: Required value',
    'webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log',
    'webhooks[0].rules[0].resources: Invalid value: ["pods/*","pods/log","*/*"]: if \'*/*\' is present, must not specify other resources',
    'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    'webhooks[0].namespaceSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
    'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    'webhooks[0].clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
    'webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
  ]);
});

test('bindings of policies are held to the rules for them', async () => {
  const spec = {
    policyName: 'p',
    validationActions: ['Deny', 'Warn'],
    paramRef: { name: 'a', selector: {} },
    matchResources: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [''] }],
    },
  };
  expect(await causesFor('validatingadmissionpolicybindings', { spec })).toEqual([
    'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.parameterNotFoundAction: Required value',
    'spec.matchResources.resourceRules[0].resources[0]: Required value',
    'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  ]);
});
