import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { NetworksFileError } from '../captcha/challenges/networks/file.ts'
import { PROVIDER_SOURCES, type ProviderSource } from '../captcha/challenges/networks/providerSources.ts'
import { readProviders, SHIPPED_PROVIDERS } from '../captcha/challenges/networks/providers.ts'
import { formatProviders, type Provider } from '../captcha/challenges/networks/providersFile.ts'
import { type Failure, refreshProviders } from '../captcha/challenges/networks/refreshProviders.ts'
import { OperatorError } from '../kit/error.ts'
import { type Command, text } from './options.ts'

/** The list whose ranges stay where no new ones can be read. Throws OperatorError. */
function presentList(out: string | undefined, shipped: string): Provider[] {
  const path = out !== undefined && existsSync(out) ? out : shipped
  try {
    return readProviders(path)
  } catch (error) {
    if (!(error instanceof NetworksFileError)) throw error
    throw new OperatorError(`${path}, ${error.message} Or remove the file, to begin with the list that is shipped.`)
  }
}

/** Replaces the file in one step, so that no node reads half of it. */
async function replaceFile(path: string, content: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await writeFile(part, content, { flush: true })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function failureText({ name, url, reason, kept }: Failure): string {
  const consequence = kept
    ? `Its ranges stay as they were${kept.origin ? ` on ${kept.origin.date}` : ''}.`
    : 'It is not in the list.'
  return `${name} was not refreshed: ${reason} (${url}). ${consequence}`
}

const REMEDY =
  'Check that this machine can reach these addresses, and what a browser shows there. If it is a list, run the command again later; if not, the address or the format has changed, which an update of Tollgate corrects. If a provider really has that much less, remove its lines from the file first.'

/** The command with these sources. `shipped`: the path of the list that it begins with. */
export const providersCommand = (sources: readonly ProviderSource[], shipped = SHIPPED_PROVIDERS): Command => ({
  about:
    'Reads the address ranges that hosting providers publish, and prints a PROVIDERS_FILE with them. A provider that cannot be read keeps its ranges of FILE, or else of the list that is shipped, and the exit code is 1. Needs no database.',
  options: {
    out: { value: 'FILE', about: 'writes the list to this file, in one step, instead of printing it', optional: true },
  },
  async runAlone(options) {
    const out = options['out'] === undefined ? undefined : text(options, 'out')
    const today = new Date().toISOString().slice(0, 10)
    const { providers, failures, leftOut } = await refreshProviders(presentList(out, shipped), sources, today)
    const content = formatProviders(providers)
    const warnings = [
      ...leftOut.map(
        ({ name, range }) => `left out, wider than a list may have or not of the internet: ${name} ${range}`,
      ),
      ...failures.map(failureText),
      ...(failures.length === 0 ? [] : [REMEDY]),
    ]
    const result = {
      ok: failures.length === 0,
      file: out ?? null,
      providers: providers.map(({ name, origin, ranges }) => ({
        name,
        ranges: ranges.length,
        date: origin?.date ?? null,
      })),
      left_out: leftOut,
      failures: failures.map(({ name, url, reason }) => ({ name, url, reason })),
    }
    const failed = failures.length > 0
    // what is printed may go to a file
    if (out === undefined)
      return { result, text: `${warnings.map((line) => `# ${line}\n`).join('')}${content}`.trimEnd(), failed }
    await replaceFile(out, content)
    const counts = result.providers.map(({ name, ranges, date }) => `  ${name}: ${ranges} ranges, ${date ?? 'no date'}`)
    return { result, text: [`Wrote ${out}:`, ...counts, ...warnings].join('\n'), failed }
  },
})

/** Commands about hosting and tunnel providers. */
export const PROVIDERS: Record<string, Command> = { 'networks providers': providersCommand(PROVIDER_SOURCES) }
