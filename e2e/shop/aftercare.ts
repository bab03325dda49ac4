import { drawActivity } from './activity.ts'
import { forgetDevice, takeExemption } from './exempt.ts'
import { readOne, UUID } from './fields.ts'
import type { Receipt } from './history.ts'
import type { Page } from './layout.ts'
import { drawForeign, drawNotice } from './pages.ts'
import { drawReceipt } from './receipt.ts'
import { type Notice, regretExemption, regretForgetting, regretReport } from './refusals.ts'
import { fileReport } from './report.ts'
import { readOutcome } from './reporting.ts'
import { readForm } from './request.ts'
import type { Shop, Visit } from './visit.ts'

/** Path of a receipt, with its attempt. */
export const RECEIPT = /^\/receipts\/([0-9a-f-]{36})$/

type Sale = { readonly receipt: Receipt; readonly session: string }

export async function showReceipt({ shop, path, session }: Visit): Promise<Page> {
  const [, attempt = ''] = RECEIPT.exec(path) ?? []
  const sale = await findSale(shop, attempt, session)
  if (sale === undefined) return drawNotice(404, 'Nothing on this shelf', 'There is no page at this address.')
  return drawSale(shop, sale, undefined)
}

export async function showActivity({ shop, session }: Visit): Promise<Page> {
  return listActivity(shop, session, undefined)
}

/** "Skip the check next time on this device", on a receipt. */
export async function skipNextCheck({ shop, request, session }: Visit): Promise<Page> {
  const sale = await findSale(shop, readOne(await readForm(request), 'attempt'), session)
  if (sale === undefined) return drawForeign()
  const { attempt, decisionId } = sale.receipt
  const refusal = await takeExemption(shop, { attempt, decisionId, session: sale.session })
  if (refusal !== undefined) return drawSale(shop, sale, regretExemption(refusal))
  return drawNotice(303, 'Arranged', 'The next check is skipped.', { location: `/receipts/${attempt}` })
}

/** "Forget this device", on the activity page. */
export async function forgetThisDevice({ shop, session }: Visit): Promise<Page> {
  if (session === undefined) return drawForeign()
  const forgotten = await forgetDevice(shop, session)
  if (typeof forgotten !== 'number') return listActivity(shop, session, regretForgetting(forgotten))
  const exemptions = forgotten === 1 ? '1 exemption was' : `${forgotten} exemptions were`
  const text = `This device is forgotten: ${exemptions} revoked. The next form asks for the check.`
  return listActivity(shop, session, { status: 200, text })
}

/** "Report this decision", on both. */
export async function takeReport({ shop, request, session }: Visit): Promise<Page> {
  const form = await readForm(request)
  const sale = await findSale(shop, readOne(form, 'attempt'), session)
  const outcome = readOutcome(readOne(form, 'outcome'))
  if (sale === undefined || outcome === undefined) return drawForeign()
  const refusal = await fileReport(shop, sale.receipt, outcome)
  if (refusal !== undefined) return listActivity(shop, sale.session, regretReport(refusal))
  return drawNotice(303, 'Reported', 'The report was taken.', { location: '/activity' })
}

/** A completed attempt of this session. */
async function findSale(shop: Shop, attempt: string, session: string | undefined): Promise<Sale | undefined> {
  if (session === undefined || !UUID.test(attempt)) return undefined
  const receipt = await shop.history.findReceipt(attempt, session)
  return receipt && { receipt, session }
}

async function drawSale(shop: Shop, { receipt, session }: Sale, notice: Notice | undefined): Promise<Page> {
  const [standing, report] = await Promise.all([
    shop.exemptions.standing(receipt.attempt, session),
    shop.reports.findLatest(receipt.attempt),
  ])
  return drawReceipt({ receipt, standing, report, notice })
}

async function listActivity(shop: Shop, session: string | undefined, notice: Notice | undefined): Promise<Page> {
  if (session === undefined) return drawActivity({ lines: [], reports: new Map(), notice })
  const [lines, reports] = await Promise.all([shop.history.listActivity(session), shop.reports.listLatest(session)])
  return drawActivity({ lines, reports, notice })
}
