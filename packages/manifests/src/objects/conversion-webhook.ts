import { conversionEndpoint, type ConversionService } from '@nodewright/apis';
import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { controllerLabels, type InstallObject } from './install-object.ts';

/** Whether the controller serves the conversion webhook. */
export const isConversionServed = ({ settings }: Pick<InstallValues, 'settings'>): boolean =>
  Number(settings.get('conversionWebhookPort') ?? '0') !== 0;

/** The Service that API servers reach the webhook by; the Secret with its certificates has the same name. */
export const conversionServiceOf = (
  { namespace, settings }: InstallValues,
  { defaultOf }: SettingCatalogue,
): ConversionService => ({
  name: settings.get('conversionWebhookService') || defaultOf('conversionWebhookService'),
  namespace,
});

/**
 * The Service of the webhook. Pods that are not ready are behind it too: a controller is ready when it can read NodePools,
 * and those may have to be converted first.
 */
export function conversionServiceObject(values: InstallValues, catalogue: SettingCatalogue): InstallObject {
  const { name, namespace } = conversionServiceOf(values, catalogue);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: controllerLabels(values) },
    spec: {
      type: 'ClusterIP',
      publishNotReadyAddresses: true,
      selector: controllerLabels(values),
      ports: [{ name: 'conversion', port: conversionEndpoint.port, targetPort: 'conversion', protocol: 'TCP' }],
    },
  };
}
