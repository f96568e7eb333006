// What a summary's page has beside the look of a report.

export const summaryStyle = `
.chart{display:block;width:100%;height:11rem;background:var(--card);border:1px solid var(--line);border-radius:.4rem}
.chart .pass,.bar .pass{fill:var(--pass)}.chart .fail,.bar .fail{fill:var(--fail)}.chart .doubt,.bar .doubt{fill:var(--doubt)}
.chart rect{stroke:var(--card);stroke-width:1px;vector-effect:non-scaling-stroke}
.bar .neutral{fill:var(--soft)}
.bar{display:block;width:100%;height:.6rem;border-radius:.3rem;background:var(--line);overflow:hidden;margin-top:.35rem}
.axis{display:flex;justify-content:space-between;gap:1rem;max-width:none;font-size:.82rem;color:var(--soft)}
.top{font-size:.82rem;margin:0 0 .2rem}
.legend{display:flex;gap:1.1rem;font-size:.82rem;color:var(--soft);margin:.2rem 0 .6rem}
.legend span::before{content:"";display:inline-block;width:.7rem;height:.7rem;border-radius:.15rem;margin-right:.4rem;background:currentColor}
.legend .pass{color:var(--pass)}.legend .fail{color:var(--fail)}.legend .doubt{color:var(--doubt)}
.wide{width:30%;min-width:5rem}
.cases .wide{width:22%}
.advice{width:42%}
.advice strong{font-weight:600}
.plain td{font-variant-numeric:tabular-nums;text-align:right}
.plain thead th:not(:first-child){text-align:right}
.steps{max-width:46rem}
.steps th[scope=row]{font-weight:400;white-space:nowrap;padding:.25rem .75rem .25rem 0;font-size:.88rem;vertical-align:middle}
.steps td{padding:.25rem .75rem;vertical-align:middle}
.steps .wide{width:70%}
.steps .number{text-align:right;font-variant-numeric:tabular-nums}
.steps .number,.plain td,.tiles b{white-space:nowrap}
@media screen and (max-width:52rem){
.chart{height:8rem}
.tiles b{font-size:clamp(.95rem,4.4vw,1.5rem)}
.steps th[scope=row]{padding-right:.4rem}
.steps td{padding:.25rem 0 .25rem .4rem}
.cases .wide,.advice{width:auto}
.cases>tbody>tr>td.advice:empty{display:none}
.steps .wide{min-width:3rem}
}
`;
