"""A plain PDF of a few pages of given text, made here so that no file has to be kept."""


def pdf(pages):
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for text in pages:
        lines = "".join(f"({line.replace('(', '').replace(')', '')}) Tj T*\n" for line in wrap(text))
        stream = f"BT /F1 11 Tf 14 TL 72 770 Td\n{lines}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
                       "/Resources << /Font << /F1 3 0 R >> >> >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    start = len(out)
    out += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n")
    return out.encode("latin-1")


def wrap(text, width=80):
    line, lines = "", []
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line = (line + " " + word).strip()
    return lines + [line]
