import type { SettingCatalogue } from '../values/setting-values.ts';
import { type TextForm, valueForms } from '../values/value-forms.ts';

type Schema = Readonly<Record<string, unknown>>;

const textSchema = ({ form, right }: TextForm): Schema => ({
  type: 'string',
  pattern: form.source,
  description: right,
});

/** A text that the template asks for by itself, so that the error names what would be right. */
const laterRequired = ({ form, right }: TextForm): Schema => ({
  type: 'string',
  pattern: `^$|${form.source}`,
  description: right,
});

const recordSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const textsByName = ({ form }: TextForm): Schema => ({
  type: 'object',
  propertyNames: { pattern: form.source },
  additionalProperties: { type: 'string' },
});

const truth: Schema = { type: 'boolean' };
const amountSchema: Schema = { type: ['string', 'number'], pattern: valueForms.amount.form.source };
const settingSchema: Schema = { type: ['string', 'number', 'boolean', 'null'] };

const monitorSchema = recordSchema({
  create: truth,
  interval: textSchema(valueForms.interval),
  labels: textsByName(valueForms.labelKeyForm),
});

const tolerationSchema = recordSchema({
  key: textSchema(valueForms.anyWord),
  operator: textSchema(valueForms.tolerationOperator),
  value: textSchema(valueForms.anyWord),
  effect: textSchema(valueForms.tolerationEffect),
});

/**
 * The JSON schema of the values of the chart: those of an installation but `namespace`, `createNamespace` and
 * `definitions`, which Helm has by itself. Unknown fields are refused, as `nodewright manifests` does.
 */
export const buildValuesSchema = (catalogue: SettingCatalogue): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart nodewright',
  ...recordSchema({
    name: textSchema(valueForms.installName),
    createServiceAccount: truth,
    image: laterRequired(valueForms.imageName),
    imagePullSecrets: { type: 'array', items: textSchema(valueForms.objectName) },
    replicas: { type: 'integer', minimum: 1 },
    region: textSchema(valueForms.region),
    roleArn: textSchema(valueForms.roleArn),
    settings: recordSchema(Object.fromEntries(catalogue.names.map((name) => [name, settingSchema]))),
    environment: textsByName(valueForms.variableName),
    proxy: recordSchema({
      https: textSchema(valueForms.proxyAddress),
      http: textSchema(valueForms.proxyAddress),
      except: textSchema(valueForms.hostList),
    }),
    certificateAuthorities: recordSchema({
      configMap: textSchema(valueForms.optionalObjectName),
      key: textSchema(valueForms.authorityKey),
    }),
    resources: recordSchema({ cpu: amountSchema, memory: amountSchema }),
    priorityClass: textSchema(valueForms.optionalObjectName),
    nodeSelector: textsByName(valueForms.labelKeyForm),
    tolerations: { type: 'array', items: tolerationSchema },
    serviceMonitor: monitorSchema,
    podMonitor: monitorSchema,
    // Helm hands the values of a chart that includes this one.
    global: { type: 'object' },
  }),
});
