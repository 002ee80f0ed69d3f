import { z } from 'zod'
import { webAddress } from './config-values.ts'

/**
 * Traces by OpenTelemetry: its own variables. The SDK reads the others, such as those of headers, limits and batches
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */

const address = webAddress('must be the http or https address of a collector, such as http://localhost:4318')
const protocol = z.literal('http/json', 'must be http/json: traces are sent as JSON over HTTP').optional()

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_SDK_DISABLED: z.string().default('false'),
  OTEL_SERVICE_NAME: z.string().max(255, 'must be at most 255 characters').default('billhook'),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      'must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
    )
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((value) => /^(0(\.\d+)?|1(\.0+)?)$/.test(value), 'must be a part from 0 to 1, such as 0.1')
    .optional(),
}

type Values = z.output<z.ZodObject<typeof tracingVariables>>

export const tracingOf = (value: Values) => {
  const collector = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOff = value.OTEL_TRACES_EXPORTER === 'none' || value.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  return {
    /** Null: no traces are made, and nothing of OpenTelemetry is loaded. */
    tracing: collector !== undefined && !isOff ? { serviceName: value.OTEL_SERVICE_NAME } : null,
  }
}
