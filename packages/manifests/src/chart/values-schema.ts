import type { SettingCatalogue } from '../values/setting-values.ts';
import { type TextForm, valueForms } from '../values/value-forms.ts';

type ValueSchema = Readonly<Record<string, unknown>>;

const patternSchema = ({ form, right }: TextForm): ValueSchema => ({
  type: 'string',
  pattern: form.source,
  description: right,
});

/** A text that the template asks for by itself, so that the error names what would be right. */
const laterRequired = ({ form, right }: TextForm): ValueSchema => ({
  type: 'string',
  pattern: `^$|${form.source}`,
  description: right,
});

const recordSchema = (properties: Readonly<Record<string, ValueSchema>>): ValueSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const textsByName = ({ form }: TextForm): ValueSchema => ({
  type: 'object',
  propertyNames: { pattern: form.source },
  additionalProperties: { type: 'string' },
});

const truth: ValueSchema = { type: 'boolean' };
const amountSchema: ValueSchema = { type: ['string', 'number'], pattern: valueForms.amount.form.source };
const settingSchema: ValueSchema = { type: ['string', 'number', 'boolean', 'null'] };

const monitorSchema = recordSchema({
  create: truth,
  interval: patternSchema(valueForms.interval),
  labels: textsByName(valueForms.labelKeyForm),
});

const tolerationSchema = recordSchema({
  key: patternSchema(valueForms.anyWord),
  operator: patternSchema(valueForms.tolerationOperator),
  value: patternSchema(valueForms.anyWord),
  effect: patternSchema(valueForms.tolerationEffect),
});

/**
 * The JSON schema of the values of the chart: those of an installation but `namespace`, `createNamespace` and
 * `definitions`, which Helm has by itself. Unknown fields are refused, as `nodewright manifests` does.
 */
export const buildValuesSchema = (catalogue: SettingCatalogue): ValueSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart nodewright',
  ...recordSchema({
    name: patternSchema(valueForms.installName),
    createServiceAccount: truth,
    image: laterRequired(valueForms.imageName),
    imagePullSecrets: { type: 'array', items: patternSchema(valueForms.objectName) },
    replicas: { type: 'integer', minimum: 1 },
    region: patternSchema(valueForms.region),
    roleArn: patternSchema(valueForms.roleArn),
    settings: recordSchema(Object.fromEntries(catalogue.names.map((name) => [name, settingSchema]))),
    environment: textsByName(valueForms.variableName),
    proxy: recordSchema({
      https: patternSchema(valueForms.proxyAddress),
      http: patternSchema(valueForms.proxyAddress),
      except: patternSchema(valueForms.hostList),
    }),
    certificateAuthorities: recordSchema({
      configMap: patternSchema(valueForms.optionalObjectName),
      key: patternSchema(valueForms.authorityKey),
    }),
    resources: recordSchema({ cpu: amountSchema, memory: amountSchema }),
    priorityClass: patternSchema(valueForms.optionalObjectName),
    nodeSelector: textsByName(valueForms.labelKeyForm),
    tolerations: { type: 'array', items: tolerationSchema },
    serviceMonitor: monitorSchema,
    podMonitor: monitorSchema,
    // Helm hands the values of a chart that includes this one.
    global: { type: 'object' },
  }),
});
